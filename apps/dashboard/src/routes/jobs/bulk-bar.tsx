import type { JobFilter, JobState, Total } from '@holdfast/contract';
import type { JobActKind } from '../../api/acts.js';
import { useFeature } from '../../api/meta.js';
import { Button } from '../../components/button.js';
import { showToast } from '../../components/toasts.js';
import { formatTotal } from '../../format/number.js';
import { useShortcuts } from '../../keyboard/shortcuts.js';
import { ActButton } from '../acts/act-button.js';
import { actWords } from '../acts/act-text.js';
import { useAskToAct } from '../acts/acts-provider.js';
import { roleFor, useActsFor } from '../acts/job-acts.js';
import { actOf } from '../bulk/open-act.js';
import { useOpenJob } from '../job/open-job.js';
import { useRedriveIfAllowed } from '../redrive/redrive-button.js';
import styles from './bulk-bar.module.css';
import { ColumnsButton } from './columns-button.js';
import { jobsText } from './jobs-text.js';
import type { JobSelection } from './selection.js';

/** As many ids as one request may name. */
const IDS_MAX = 1_000;

interface BulkBarProps {
  readonly selection: JobSelection;
  readonly state: JobState | undefined;
  readonly total: Total;
  /** All that match, as a filter with fixed times; asked for at the moment of the act. */
  readonly matching: () => JobFilter;
  /** Rows on the page: with more matching, all of them can be chosen. */
  readonly shown: number;
}

/** Always there, so that the table does not jump when the first job is selected. */
export function BulkBar({ selection, state, total, matching, shown }: BulkBarProps) {
  const chosen = selection.all ? total : { value: selection.size, relation: 'exact' as const };
  const any = selection.all || selection.size > 0;
  useBarKeys(selection, state, matching);
  return (
    <section className={styles.bar} aria-label={jobsText.selection}>
      <span role="status" className={any ? styles.count : styles.hint}>
        {selection.all
          ? jobsText.allSelected(formatTotal(total))
          : any
            ? jobsText.selected(selection.size)
            : jobsText.selectHint}
      </span>
      {any && <Acts selection={selection} state={state} count={chosen.value} matching={matching} />}
      {!selection.all && total.value > shown && <SelectAll selection={selection} total={total} />}
      {any && (
        <Button look="quiet" size="small" onClick={selection.clear}>
          {jobsText.clear}
        </Button>
      )}
      <span className={styles.columns}>
        <ColumnsButton />
      </span>
    </section>
  );
}

function SelectAll({ selection, total }: { readonly selection: JobSelection; readonly total: Total }) {
  if (!useFeature('bulk')) return null;
  return (
    <Button look="quiet" size="small" onClick={selection.chooseAll}>
      {jobsText.selectAll(formatTotal(total))}
    </Button>
  );
}

interface ActsProps extends Pick<BulkBarProps, 'selection' | 'state' | 'matching'> {
  readonly count: number;
}

/** Those that the state allows; over jobs of all states, each, none of them promised to all: the plan says for how many it fits. */
function Acts({ selection, state, count, matching }: ActsProps) {
  const ask = useAskToAct();
  const planned = useFeature('bulk');
  const { redrive } = useRedriveIfAllowed();
  const acts = useActsFor(state);
  const run = (act: JobActKind) => {
    if (act === 'redrive' && !planned) redrive({ kind: 'ids', ids: selection.ids, onDone: selection.clear });
    else {
      const chosen = selection.all ? { filter: matching() } : { ids: selection.ids };
      ask({ kind: 'bulk', target: { act: actOf(act), selection: chosen }, onDone: selection.clear });
    }
  };
  const unavailable = !selection.all && selection.size > IDS_MAX ? jobsText.tooMany : undefined;
  return acts.map((act, index) => (
    <ActButton
      key={act}
      needs={roleFor(act)}
      look={act === 'redrive' && state === 'dead' ? 'primary' : 'plain'}
      size="small"
      unavailable={unavailable ?? (act === 'redrive' || planned ? undefined : jobsText.notPlanned)}
      onAct={() => run(act)}
    >
      {index === 0 && state !== undefined ? jobsText.actOn(actWords[act].verb, count) : actWords[act].verb}
    </ActButton>
  ));
}

/** `r` and `#`: the selected jobs, or else the one with focus, or else the open one. Never more than one can see. */
function useBarKeys(selection: JobSelection, state: JobState | undefined, matching: () => JobFilter): void {
  const { openId } = useOpenJob();
  const { redrive, refusal } = useRedriveIfAllowed();
  const ask = useAskToAct();
  const planned = useFeature('bulk');
  const meant = () => {
    const focused = document.activeElement?.closest<HTMLElement>('tr[data-row]')?.dataset.row ?? openId;
    return selection.size > 0 ? selection.ids : focused === undefined ? [] : [focused];
  };
  const redriveMeant = () => {
    const ids = meant();
    const onDone = selection.clear;
    if (refusal !== undefined) showToast({ tone: 'done', text: refusal });
    else if (selection.all && planned)
      ask({ kind: 'bulk', target: { act: { kind: 'redrive' }, selection: { filter: matching() } }, onDone });
    else if (ids.length === 0) showToast({ tone: 'done', text: jobsText.selectFirst });
    else redrive({ kind: 'ids', ids, onDone });
  };
  const removeMeant = () => {
    const ids = meant();
    if (!planned || (ids.length === 0 && !selection.all)) showToast({ tone: 'done', text: jobsText.selectFirst });
    else {
      const chosen = selection.all ? { filter: matching() } : { ids };
      ask({ kind: 'bulk', target: { act: { kind: 'remove' }, selection: chosen }, onDone: selection.clear });
    }
  };
  useShortcuts({
    ...(state === undefined || state === 'dead' ? { r: redriveMeant } : {}),
    '#': removeMeant,
    ...((selection.size > 0 || selection.all) && openId === undefined ? { Escape: selection.clear } : {}),
  });
}
