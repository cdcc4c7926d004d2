import type { CancelledRun } from '@holdfast/contract';
import { jobText } from './job-text.js';

export interface CancelStep {
  /** `open`: it has not come. `unheeded`: the handler did something else than to stop. */
  readonly tone: 'done' | 'open' | 'unheeded';
  readonly text: string;
  readonly atMs?: number;
  /** How long after the step before, or for how long already. */
  readonly after?: string;
}

const words = jobText.cancelSteps;

export function cancelStepsOf(run: CancelledRun, nowMs: number): readonly CancelStep[] {
  const asked: CancelStep = { tone: 'done', text: words.asked, atMs: run.requestedAtMs };
  if (!run.known) return [asked, { tone: 'open', text: words.unknown }];
  return [asked, heard(run), ...handled(run, nowMs)];
}

function heard({ requestedAtMs, heardAtMs, endedAtMs }: CancelledRun): CancelStep {
  if (heardAtMs !== undefined) {
    return { tone: 'done', text: words.heard, atMs: heardAtMs, after: words.later(heardAtMs - requestedAtMs) };
  }
  return { tone: 'open', text: endedAtMs === undefined ? words.notHeard : words.neverHeard };
}

function handled(run: CancelledRun, nowMs: number): readonly CancelStep[] {
  const { requestedAtMs, heardAtMs, endedAtMs, ended, error } = run;
  if (endedAtMs === undefined || ended === undefined) {
    return heardAtMs === undefined ? [] : [{ tone: 'open', text: words.goesOn, after: words.for(nowMs - heardAtMs) }];
  }
  const text = ended === 'failed' ? words.failed(error?.class ?? '', error?.message ?? '') : words[ended];
  const after = words.later(endedAtMs - (heardAtMs ?? requestedAtMs));
  return [{ tone: ended === 'stopped' ? 'done' : 'unheeded', text, atMs: endedAtMs, after }];
}
