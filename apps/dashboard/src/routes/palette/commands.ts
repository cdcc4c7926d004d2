import type { QueueSummary } from '@holdfast/contract';
import { visibleText } from '../../format/hostile-text.js';
import { PAGES } from '../../frame/pages.js';
import type { Theme } from '../../settings/theme.js';
import type { ActRequest } from '../acts/acts-provider.js';
import { token } from '../jobs/filter-tokens.js';
import type { SavedView } from '../jobs/saved-views.js';
import type { RedriveRequest } from '../redrive/redrive-request.js';
import { paletteText } from './palette-text.js';

export interface Command {
  readonly group: keyof typeof paletteText.groups;
  readonly label: string;
  /** The key that does the same. */
  readonly key?: string;
  readonly run: () => void;
}

/** What commands do, so that the list itself can be tested without a page. */
export interface CommandDoors {
  readonly queues: readonly QueueSummary[];
  readonly views: readonly SavedView[];
  /** Whether the person may act; without, only looking is offered. */
  readonly mayAct: boolean;
  readonly planned: boolean;
  go(address: string): void;
  ask(request: ActRequest): void;
  redrive(request: RedriveRequest): void;
  resume(queue: string): void;
  togglePause(): void;
  toggleTimeZone(): void;
  theme(theme: Theme): void;
}

const THEMES: readonly Theme[] = ['light', 'dark', 'system'];

/** Everything that can be called by its name. */
export function commandsOf(doors: CommandDoors): readonly Command[] {
  const pages = PAGES.map((page) => ({
    group: 'go' as const,
    label: page.title,
    key: `g ${page.key}`,
    run: () => doors.go(page.path),
  }));
  const themes = THEMES.map((theme) => ({
    group: 'act' as const,
    label: paletteText.theme[theme],
    run: () => doors.theme(theme),
  }));
  const views = doors.views.map(({ name, search }) => ({
    group: 'go' as const,
    label: paletteText.view(visibleText(name)),
    run: () => doors.go(`/jobs${search}`),
  }));
  return [
    ...pages,
    ...views,
    ...doors.queues.flatMap((queue) => queueCommands(queue, doors)),
    ...(doors.mayAct
      ? [
          {
            group: 'act' as const,
            label: paletteText.redriveAll,
            run: () => doors.redrive({ kind: 'allDead', queue: undefined }),
          },
        ]
      : []),
    { group: 'act', label: paletteText.pauseRefresh, key: '.', run: doors.togglePause },
    { group: 'act', label: paletteText.timeZone, run: doors.toggleTimeZone },
    ...themes,
  ];
}

function queueCommands({ name, paused, counts }: QueueSummary, doors: CommandDoors): readonly Command[] {
  const address = encodeURIComponent(name);
  const shown = visibleText(name);
  const group = 'queue' as const;
  const looks = [
    { group, label: paletteText.jobsOf(shown), run: () => doors.go(`/jobs?queue=${address}`) },
    { group, label: paletteText.deadOf(shown), run: () => doors.go(`/dead?queue=${address}`) },
  ];
  if (!doors.mayAct) return looks;
  const pause =
    paused === undefined
      ? { group, label: paletteText.pause(shown), run: () => doors.ask({ kind: 'pause', queue: name }) }
      : { group, label: paletteText.resume(shown), run: () => doors.resume(name) };
  const drain = {
    group,
    label: paletteText.drain(shown),
    run: () => doors.ask({ kind: 'bulk', target: { act: { kind: 'drain' }, selection: { filter: { queue: name } } } }),
  };
  const redrive = {
    group,
    label: paletteText.redriveAllOf(shown),
    run: () => doors.redrive({ kind: 'allDead', queue: name }),
  };
  return [...looks, ...(doors.planned ? [pause, drain] : []), ...(counts.dead > 0 ? [redrive] : [])];
}

/** What a typed text may mean beside the commands. */
export function searchesFor(text: string, go: (address: string) => void): readonly Command[] {
  if (text === '') return [];
  const shown = visibleText(text);
  const search = (q: string) => () => go(`/jobs?q=${encodeURIComponent(q)}`);
  return [
    { group: 'job', label: paletteText.openJob(shown), run: () => go(`/jobs?job=${encodeURIComponent(text)}`) },
    { group: 'job', label: paletteText.findName(shown), run: () => go(`/jobs?name=${encodeURIComponent(text)}`) },
    { group: 'job', label: paletteText.findError(shown), run: search(token('error', text)) },
  ];
}

/** Those that have each typed word in their label, the ones that begin with it first. */
export function matching(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const begins = ({ label }: Command) => (label.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  return found.toSorted((one, other) => begins(one) - begins(other));
}
