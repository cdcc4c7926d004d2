import type { BulkPlanAnswer, BulkTarget } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { planQuery, useStartOperation } from '../../api/bulk.js';
import { metaQuery } from '../../api/meta.js';
import { Dialog } from '../../components/dialog.js';
import { WholeProblem } from '../../frame/problem-view.js';
import { useRefusal } from '../acts/act-button.js';
import { ActForm, ReasonField } from '../acts/act-form.js';
import form from '../acts/act-form.module.css';
import { actText, actWords } from '../acts/act-text.js';
import { roleFor } from '../acts/job-acts.js';
import { bulkText } from './bulk-text.js';
import { PlanView, Scope } from './plan-view.js';
import { watchOperation } from './watched-operations.js';

const RATE_DEFAULT = 50;
const RATE_MAX = 10_000;
/** More than so many are removed only after their number was typed. */
const REMOVE_UNTYPED_MAX = 1_000;
/** So many at most are worked off at once: nobody would wait for them. */
const AT_ONCE_MAX = 200;

export interface BulkRequest {
  readonly kind: 'bulk';
  readonly target: BulkTarget;
  /** What the jobs have in common, for people: a fingerprint says nothing. */
  readonly about?: string;
  readonly onDone?: () => void;
}

interface BulkDialogProps {
  readonly request: BulkRequest;
  readonly onClose: () => void;
}

let askedTimes = 0;

/** The one door for acts on many jobs: counts first, says what can and what cannot be done, and starts what the server then does. */
export function BulkDialog({ request, onClose }: BulkDialogProps) {
  const [asked] = useState(() => ++askedTimes);
  const plan = useQuery(planQuery(request.target, asked));
  const { act } = request.target;
  return (
    <Dialog open title={bulkText.title(act)} closeLabel={actText.close} onClose={onClose}>
      <p className={form.what}>{actWords[act.kind].meaning}</p>
      {request.about !== undefined && <p className={form.about}>{request.about}</p>}
      <Scope selection={request.target.selection} />
      {plan.data !== undefined ? (
        <PlannedForm request={request} answer={plan.data} onClose={onClose} />
      ) : plan.error !== null ? (
        <WholeProblem error={plan.error} onRetry={() => void plan.refetch()} />
      ) : (
        <p role="status" className={form.what}>
          {bulkText.counting}
        </p>
      )}
    </Dialog>
  );
}

interface PlannedFormProps extends BulkDialogProps {
  readonly answer: BulkPlanAnswer;
}

function PlannedForm({ request, answer, onClose }: PlannedFormProps) {
  const { act } = request.target;
  const { plan, planId } = answer;
  const [reason, setReason] = useState('');
  const [rate, setRate] = useState(String(plan.eligible <= AT_ONCE_MAX ? RATE_MAX : RATE_DEFAULT));
  const [typed, setTyped] = useState('');
  const start = useStartOperation();
  const undoWindowMs = useQuery(metaQuery).data?.undoWindowMs;
  const removes = act.kind === 'remove';
  const mustType = removes && plan.eligible > REMOVE_UNTYPED_MAX;
  const refusal = useRefusal(roleFor(act.kind));
  const unavailable =
    refusal ?? lackOf({ eligible: plan.eligible, rate, noReason: removes && reason.trim() === '', mustType, typed });
  const submit = () =>
    start.mutate(
      { planId, ratePerSecond: Number(rate), ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
      {
        onSuccess: ({ operation }) => {
          watchOperation(operation.id);
          request.onDone?.();
          onClose();
        },
      },
    );
  return (
    <ActForm
      error={start.error}
      busy={start.isPending}
      confirm={act.kind === 'runNow' ? bulkText.confirmRunNow(plan.eligible) : bulkText.confirm(act, plan.eligible)}
      danger={removes || act.kind === 'cancel' || act.kind === 'drain'}
      unavailable={unavailable}
      onSubmit={submit}
      onClose={onClose}
    >
      <PlanView plan={plan} act={act} />
      {plan.eligible > AT_ONCE_MAX && <RateField rate={rate} eligible={plan.eligible} onRate={setRate} />}
      <ReasonField reason={reason} needed={removes} onReason={setReason} />
      {mustType && (
        <label className={form.field}>
          <span>{bulkText.typeNumber(plan.eligible)}</span>
          <input
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
      )}
      {removes && undoWindowMs !== undefined && <p className={form.hint}>{bulkText.undoNote(undoWindowMs)}</p>}
    </ActForm>
  );
}

interface Given {
  readonly eligible: number;
  readonly rate: string;
  readonly noReason: boolean;
  readonly mustType: boolean;
  readonly typed: string;
}

/** What is still missing before it can be confirmed. */
function lackOf({ eligible, rate, noReason, mustType, typed }: Given): string | undefined {
  if (eligible === 0) return bulkText.nothing;
  if (!isRate(rate)) return bulkText.rateRange;
  if (noReason) return bulkText.reasonFirst;
  return mustType && typed !== String(eligible) ? bulkText.typeFirst : undefined;
}

interface RateFieldProps {
  readonly rate: string;
  readonly eligible: number;
  readonly onRate: (rate: string) => void;
}

function RateField({ rate, eligible, onRate }: RateFieldProps) {
  return (
    <label className={form.field}>
      <span>
        {bulkText.rate} {isRate(rate) && `(${bulkText.rateNote(eligible, Number(rate))})`}
      </span>
      <input inputMode="numeric" autoComplete="off" value={rate} onChange={(event) => onRate(event.target.value)} />
    </label>
  );
}

function isRate(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= RATE_MAX;
}
