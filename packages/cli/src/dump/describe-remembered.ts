import type { LogRecord } from '@holdfast/core/log';
import { decodeRemembered, type EnqueueAnswer, formatId, OUTCOMES, stateName } from '@holdfast/core/records';

/** What the store has to know beside its jobs. */
export function describeRemembered(tag: string, record: LogRecord) {
  const { requests, windows } = decodeRemembered(record, record.location);
  return {
    requests: absentIfEmpty(
      requests.map(({ id, fingerprint, atMs, order, answer }) => ({
        ...{ requestId: id, fingerprint, atMs, order },
        jobs: answered(tag, answer),
      })),
    ),
    keys: absentIfEmpty(windows.map(({ id, ...window }) => ({ ...window, id, job: formatId(tag, id) }))),
  };
}

function answered(tag: string, { firstId, scheduled, each }: EnqueueAnswer) {
  if (each === undefined) {
    return Array.from(scheduled, (waits, index) => ({
      id: firstId + index,
      job: formatId(tag, firstId + index),
      state: waits === 1 ? 'scheduled' : 'ready',
      outcome: 'created',
    }));
  }
  return Array.from(each.ids, (id, index) => ({
    id,
    job: formatId(tag, id),
    state: stateName(each.states[index] ?? 0),
    outcome: OUTCOMES[each.outcomes[index] ?? 0],
  }));
}

function absentIfEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}
