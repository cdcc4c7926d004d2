import type { JobState, QueuePause, QueueSummary } from '@holdfast/contract';
import { Link } from 'wouter';
import { useActs } from '../../api/meta.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { Sparkline } from '../../components/sparkline.js';
import table from '../../components/table.module.css';
import { Age } from '../../components/time-text.js';
import { TwoLineText } from '../../components/two-line-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { formatCount, formatRate } from '../../format/number.js';
import styles from './overview.module.css';
import { overviewText } from './overview-text.js';
import { QueueActs } from './queue-acts.js';
import { recentRates, sum, wholeIntervals } from './throughput.js';

const columns = overviewText.columns;

export function QueueTable({ queues, nowMs }: { readonly queues: readonly QueueSummary[]; readonly nowMs: number }) {
  const acting = useActs();
  return (
    <div className={table.frame}>
      <table className={classNames(table.table, styles.queues)}>
        <thead>
          <tr>
            <th scope="col" className={styles.name}>
              {columns.queue}
            </th>
            <NumberHead text={columns.ready} className={styles.count} />
            <NumberHead text={columns.leased} className={styles.count} />
            <NumberHead text={columns.retrying} hint={columns.retryingHint} className={styles.roomy} />
            <NumberHead text={columns.scheduled} className={styles.wide} />
            <NumberHead text={columns.dead} className={styles.count} />
            <NumberHead text={columns.completed} className={classNames(styles.count, styles.widest)} />
            <NumberHead text={columns.oldest} className={styles.oldest} />
            <RateHead />
            <th scope="col" className={styles.spark}>
              {columns.throughput}
            </th>
            {acting && (
              <th scope="col" className={styles.acts}>
                <span className={styles.hidden}>{columns.acts}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {queues.map((queue) => (
            <QueueRow key={queue.name} queue={queue} nowMs={nowMs} acting={acting} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface NumberHeadProps {
  readonly text: string;
  readonly hint?: string;
  readonly className?: string | undefined;
}

function NumberHead({ text, hint, className }: NumberHeadProps) {
  return (
    <th scope="col" className={classNames(table.number, className)} title={hint}>
      {text}
    </th>
  );
}

/** Names the numbers, and by their colours the lines beside them. */
function RateHead() {
  const { enqueued, completed, failed, unit } = columns.rates;
  return (
    <th scope="col" className={classNames(table.number, styles.rate)}>
      {enqueued} · <span className={styles.out}>{completed}</span> · <span className={styles.failed}>{failed}</span>{' '}
      {unit}
    </th>
  );
}

interface QueueRowProps {
  readonly queue: QueueSummary;
  readonly nowMs: number;
  /** Whether the server knows acts on queues. */
  readonly acting: boolean;
}

function QueueRow({ queue, nowMs, acting }: QueueRowProps) {
  const address = encodeURIComponent(queue.name);
  const jobs = (state: JobState) => `/jobs?state=${state}&queue=${address}`;
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <span className={styles.nameLine}>
          <Link href={`/jobs?queue=${address}`} className={styles.queue}>
            <TwoLineText text={queue.name} />
          </Link>
          {queue.paused !== undefined && <PausedBadge pause={queue.paused} nowMs={nowMs} />}
        </span>
      </th>
      <Count value={queue.counts.ready} href={jobs('ready')} />
      <Count value={queue.counts.leased} href={jobs('leased')} />
      <Count value={queue.retrying} href={jobs('scheduled')} className={styles.roomy} />
      <Count value={queue.counts.scheduled} href={jobs('scheduled')} className={styles.wide} />
      <Count value={queue.counts.dead} href={`/dead?queue=${address}`} className={styles.dead} />
      <Count value={queue.counts.completed} href={jobs('completed')} className={styles.widest} />
      <td className={table.number}>
        {queue.oldestReadyAtMs === undefined ? '–' : <Age atMs={queue.oldestReadyAtMs} />}
      </td>
      <Throughput queue={queue} nowMs={nowMs} />
      {acting && (
        <td className={styles.acts}>
          <QueueActs queue={queue} />
        </td>
      )}
    </tr>
  );
}

/** Who, until when and why are in its note, and on the job that waits. */
function PausedBadge({ pause, nowMs }: { readonly pause: QueuePause; readonly nowMs: number }) {
  return (
    <span className={styles.paused} title={visibleText(overviewText.pausedBy(pause, nowMs))}>
      <Icon name="pause" size={12} />
      <span className={styles.pausedWord}>{overviewText.paused}</span>
    </span>
  );
}

function Count({ value, href, className }: { value: number; href: string; className?: string | undefined }) {
  return (
    <td className={classNames(table.number, value === 0 && table.muted, className)}>
      {value === 0 ? '0' : <Link href={href}>{formatCount(value)}</Link>}
    </td>
  );
}

function Throughput({ queue, nowMs }: { readonly queue: QueueSummary; readonly nowMs: number }) {
  const whole = wholeIntervals(queue.throughput, nowMs);
  const rates = recentRates(whole);
  const sums = { enqueued: sum(whole.enqueued), completed: sum(whole.completed), failed: sum(whole.failed) };
  const label = overviewText.throughputOf(visibleText(queue.name), whole.enqueued.length * whole.stepMs, sums);
  return (
    <>
      <td className={classNames(table.number, styles.rate)}>
        {rates === undefined ? '–' : <RateText rates={rates} />}
      </td>
      <td className={styles.spark} title={label}>
        <Sparkline
          width={120}
          height={24}
          label={label}
          series={[
            { tone: 'muted', values: whole.enqueued },
            { tone: 'accent', values: whole.completed },
            ...(sums.failed > 0 ? [{ tone: 'danger' as const, values: whole.failed }] : []),
          ]}
        />
      </td>
    </>
  );
}

function RateText({ rates }: { readonly rates: NonNullable<ReturnType<typeof recentRates>> }) {
  return (
    <>
      {formatRate(rates.enqueued)} <span className={table.muted}>·</span>{' '}
      <span className={styles.out}>{formatRate(rates.completed)}</span> <span className={table.muted}>·</span>{' '}
      <span className={rates.failed > 0 ? styles.failed : table.muted}>{formatRate(rates.failed)}</span>
    </>
  );
}
