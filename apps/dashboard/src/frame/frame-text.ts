import { formatAge, formatClock } from '../format/time.js';

export const frameText = {
  product: 'Holdfast',
  navigation: 'Pages',
  skip: 'Skip to content',
  pages: {
    overview: 'Overview',
    jobs: 'Jobs',
    dead: 'Dead letters',
    leases: 'Leases',
    storage: 'Storage',
    activity: 'Activity',
  },
  deadCount: (count: string) => `${count} dead`,
  live: (ageMs: number) => `Live · ${formatAge(ageMs)} ago`,
  paused: (atMs: number) => `Paused · ${formatClock(atMs)}`,
  stale: (atMs: number) => `Stale since ${formatClock(atMs)}`,
  waiting: 'No data yet',
  pause: 'Pause refresh',
  resume: 'Resume refresh',
  help: 'Keyboard shortcuts',
  palette: 'Commands',
  paletteKey: /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K',
  zones: { local: 'Local time', utc: 'UTC' },
  zoneNote: 'Show all times in the other zone',
  theme: 'Theme',
  themes: { light: 'Light', system: 'As the system', dark: 'Dark' },
  close: 'Close',
  results: 'Results',
  dismiss: 'Dismiss',
  shortcutsOn: 'Single-key shortcuts',
  shortcutsOnNote: 'Switch them off if they clash with speech input or a screen reader.',
  pageTitle: (page: string, environment: string | undefined) =>
    environment === undefined ? `${page} · Holdfast` : `${page} · ${environment} · Holdfast`,
  storeHealth: {
    opening: 'The store is opening',
    full: 'The disk is full: no new jobs are taken',
    failed: 'The store has failed',
    closed: 'The store is closed',
    open: 'The store is open',
  },
  readOnly: 'Read-only',
  readOnlyAsOf: (time: string) => `Read-only: the jobs as of ${time}`,
  role: (role: string, actor: string) => `${actor} (${role})`,
  notFound: 'There is no such page',
  notFoundNote: 'The address may be mistyped.',
  toOverview: 'Go to the overview',
} as const;

/** What `?` shows: keys and what they do. */
export const shortcutGroups = [
  {
    title: 'Go to',
    keys: [
      ['g o', 'Overview'],
      ['g j', 'Jobs'],
      ['g d', 'Dead letters'],
      ['g l', 'Leases'],
      ['g s', 'Storage'],
      ['g a', 'Activity'],
    ],
  },
  {
    title: 'Lists',
    keys: [
      ['j', 'Next row'],
      ['k', 'Previous row'],
      ['Enter', 'Open the row'],
      ['Esc', 'Close what is open'],
      ['/', 'To the filter'],
      ['x', 'Select the row'],
      ['r', 'Redrive the selected jobs, the row, or all of its error'],
      ['#', 'Remove the selected jobs, or the row'],
      ['R', 'Redrive all dead jobs shown'],
    ],
  },
  {
    title: 'Everywhere',
    keys: [
      ['Ctrl K', 'Commands: pages, queues, acts'],
      ['u', 'Undo what has not begun yet'],
      ['.', 'Pause or resume refresh'],
      ['?', 'This list'],
    ],
  },
] as const;
