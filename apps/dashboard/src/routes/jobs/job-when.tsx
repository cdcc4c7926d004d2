import type { JobRow } from '@holdfast/contract';
import { Age, Until } from '../../components/time-text.js';
import { useServerNow } from '../../live/server-now.js';
import { jobsText } from './jobs-text.js';

const { when } = jobsText;

/** The time that matters in the job's state: until it is due, how long it waits or is held, since when it has ended. */
export function JobWhen({ row }: { readonly row: JobRow }) {
  const nowMs = useServerNow();
  switch (row.state) {
    case 'scheduled':
      return (
        <>
          {row.runAtMs > nowMs && `${when.dueIn} `}
          <Until atMs={row.runAtMs} due={when.dueNow} />
        </>
      );
    case 'ready':
      return (
        <>
          {when.waiting} <Age atMs={row.runAtMs} />
        </>
      );
    case 'leased':
      return (
        <>
          {when.heldFor} <Age atMs={row.lease?.leasedAtMs ?? row.updatedAtMs} />
        </>
      );
    default:
      return (
        <>
          <Age atMs={row.updatedAtMs} /> {when.ago}
        </>
      );
  }
}
