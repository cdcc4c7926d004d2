/** Durations and times as people read them. Everything takes milliseconds. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A span in its largest fitting unit, whole: `4 s`, `12 min`, `3 h`, `2 d`. Never negative: clocks differ a little. */
export function formatAge(ms: number): string {
  const age = Math.max(0, ms);
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < 2 * DAY) return `${Math.floor(age / HOUR)} h`;
  return `${Math.floor(age / DAY)} d`;
}

/** How long something took, with three significant digits: `840 µs`, `1.25 ms`, `12.3 s`, `4 min 12 s`. */
export function formatDuration(ms: number): string {
  const span = Math.max(0, ms);
  if (span === 0) return '0 ms';
  if (span < 0.9995) return `${significant(span * 1_000)} µs`;
  if (span < 999.5) return `${significant(span)} ms`;
  if (span < MINUTE) return `${significant(span / SECOND)} s`;
  return twoUnits(span);
}

function twoUnits(ms: number): string {
  const seconds = Math.round(ms / SECOND);
  if (seconds < 3_600) return join(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 1_440) return join(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(ms / HOUR);
  return join(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

function significant(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** Time left in whole seconds, rounded up so that it reaches 0 only at the end; `overdue` once it has passed. */
export function countdown(remainingMs: number): { readonly overdue: boolean; readonly text: string } {
  if (remainingMs < 0) return { overdue: true, text: formatAge(-remainingMs) };
  const seconds = Math.ceil(remainingMs / SECOND);
  return { overdue: false, text: seconds < 120 ? `${seconds} s` : twoUnits(seconds * SECOND) };
}

type Zone = 'local' | 'utc';

function formatsOf(zone: Zone) {
  const timeZone = zone === 'utc' ? { timeZone: 'UTC' } : {};
  const minute = { hour: '2-digit', minute: '2-digit' } as const;
  return {
    clock: new Intl.DateTimeFormat('en-GB', { ...minute, second: '2-digit', ...timeZone }),
    minute: new Intl.DateTimeFormat('en-GB', { ...minute, ...timeZone }),
    day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', ...timeZone }),
  };
}

let formats = formatsOf('local');

/** Of all times from now on, so that no label of a page is of another zone than the rest. */
export function showTimesIn(zone: Zone): void {
  formats = formatsOf(zone);
}

/** `10:41:07`, in the chosen zone. */
export function formatClock(atMs: number): string {
  return isTime(atMs) ? formats.clock.format(atMs) : String(atMs);
}

/** `10:41:07`, and on another day than now the day too: a pause may end tomorrow. */
export function formatMoment(atMs: number, nowMs: number): string {
  const isToday = isTime(atMs) && formats.day.format(atMs) === formats.day.format(nowMs);
  return isToday ? formatClock(atMs) : formatDateTime(atMs);
}

/** `10:41`, for axes. */
export function formatMinute(atMs: number): string {
  return isTime(atMs) ? formats.minute.format(atMs) : String(atMs);
}

/** `29 Nov 2026, 10:41:07`, in the chosen zone. */
export function formatDateTime(atMs: number): string {
  return isTime(atMs) ? `${formats.day.format(atMs)}, ${formats.clock.format(atMs)}` : String(atMs);
}

/** For the `datetime` attribute; none for a number that is no time, such as a job due in the year 300,000. */
export function isoTime(atMs: number): string | undefined {
  return isTime(atMs) ? new Date(atMs).toISOString() : undefined;
}

/** What a date can hold: everything else makes the formatters throw. */
function isTime(atMs: number): boolean {
  return Math.abs(atMs) <= 8.64e15;
}
