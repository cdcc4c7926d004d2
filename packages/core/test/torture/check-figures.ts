import type { CheckReport } from './history/check-report.js';
import type { StoreLife } from './machine/store-life.js';

/** The figures of a history, for a summary line. */
export function checkFigures(report: CheckReport) {
  const { redeliveries } = report;
  return {
    opens: report.opens,
    unclean: report.uncleanOpens,
    tornTails: report.tornTails,
    segmentsRetired: report.segmentsRetired,
    mostKiB: Math.round(report.bytesMost / 1024),
    enqueued: report.enqueued,
    lost: report.lost,
    unanswered: `${report.unknownFound + report.unknownAbsent} (${report.unknownFound} stored)`,
    rejected: report.rejected,
    deliveries: report.deliveries,
    acked: report.acked,
    dead: report.dead,
    cancelled: report.cancelled,
    removed: report.removed,
    staleRefused: report.staleRefused,
    again: Object.entries(redeliveries)
      .map(([cause, count]) => `${cause} ${count}`)
      .join(', '),
    acksTakenBack: report.acksTakenBack,
    oldestTakenBackMs: Math.round(report.oldestTakenBackMs),
    longestSyncMs: Math.round(report.longestSyncMs),
    latestStartMs: Math.round(report.latestStartMs),
    violations: report.violations.length,
  };
}

export function checkProblems({ problems, report }: StoreLife): string[] {
  return [
    ...problems,
    ...report.violations.map(({ invariant, problem, line }) => `${invariant}: ${problem} (event ${line})`),
  ];
}

/** Figures as one figure. */
export function joined(figures: Readonly<Record<string, number | string>>): string {
  const told = Object.entries(figures).map(([name, value]) => `${name}=${value}`);
  return `{ ${told.join(' · ')} }`;
}

/** What matters most of a history, as one figure. */
export function lifeInShort({ report }: StoreLife): string {
  const { enqueued, lost, deliveries, acked, again, violations } = checkFigures(report);
  return joined({ enqueued, lost, deliveries, acked, again, violations });
}
