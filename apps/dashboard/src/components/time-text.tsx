import { formatAge, formatDateTime, isoTime } from '../format/time.js';
import { useServerNow } from '../live/server-now.js';

/** How long ago, by the server's clock, stepping once a second; the exact time on hover. */
export function Age({ atMs }: { readonly atMs: number }) {
  const nowMs = useServerNow();
  return (
    <time dateTime={isoTime(atMs)} title={formatDateTime(atMs)}>
      {formatAge(nowMs - atMs)}
    </time>
  );
}

/** Time until a moment; `due` once it has come. */
export function Until({ atMs, due }: { readonly atMs: number; readonly due: string }) {
  const nowMs = useServerNow();
  return (
    <time dateTime={isoTime(atMs)} title={formatDateTime(atMs)}>
      {atMs <= nowMs ? due : formatAge(atMs - nowMs)}
    </time>
  );
}
