import type { BulkAct, BulkPlanAnswer, BulkTarget } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { planQuery, useStartOperation } from '../../api/bulk.js';
import { metaQuery } from '../../api/meta.js';
import { newRequestId } from '../../api/request-id.js';
import { Dialog } from '../../components/dialog.js';
import { WholeProblem } from '../../frame/problem-view.js';
import { useRefusal } from '../acts/act-button.js';
import { ActForm, ReasonField } from '../acts/act-form.js';
import form from '../acts/act-form.module.css';
import { actText, actWords } from '../acts/act-text.js';
import { useAnsweredAct } from '../acts/answered-act.js';
import { roleFor } from '../acts/job-acts.js';
import { bulkText } from './bulk-text.js';
import { ChoiceForm } from './choice-form.js';
import { isWhole, type OpenAct } from './open-act.js';
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
  readonly target: Pick<BulkTarget, 'selection'> & { readonly act: BulkAct | OpenAct };
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
  const { act: asked, selection } = request.target;
  const [act, setAct] = useState(isWhole(asked) ? asked : undefined);
  return (
    <Dialog open title={bulkText.title(asked)} closeLabel={actText.close} onClose={onClose}>
      <p className={form.what}>{actWords[asked.kind].meaning}</p>
      {request.about !== undefined && <p className={form.about}>{request.about}</p>}
      <Scope selection={selection} named={request.about !== undefined} />
      {act !== undefined ? (
        <Planned request={request} target={{ act, selection }} onClose={onClose} />
      ) : (
        <ChoiceForm
          kind={asked.kind === 'transfer' ? 'transfer' : 'reprioritise'}
          onChoose={setAct}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface PlannedProps extends BulkDialogProps {
  readonly target: BulkTarget;
}

function Planned({ request, target, onClose }: PlannedProps) {
  const [asked] = useState(() => ++askedTimes);
  const plan = useQuery(planQuery(target, asked));
  if (plan.data !== undefined) {
    return <PlannedForm request={request} target={target} answer={plan.data} onClose={onClose} />;
  }
  if (plan.error !== null) return <WholeProblem error={plan.error} onRetry={() => void plan.refetch()} />;
  return (
    <p role="status" className={form.what}>
      {bulkText.counting}
    </p>
  );
}

interface PlannedFormProps extends PlannedProps {
  readonly answer: BulkPlanAnswer;
}

function PlannedForm({ request, target, answer, onClose }: PlannedFormProps) {
  const { act } = target;
  const { plan, planId } = answer;
  const [reason, setReason] = useState('');
  const [rate, setRate] = useState(String(plan.eligible <= AT_ONCE_MAX ? RATE_MAX : RATE_DEFAULT));
  const [typed, setTyped] = useState('');
  // One for all tries of this dialog: who tries again without having had an answer begins nothing twice.
  const [requestId] = useState(newRequestId);
  const start = useStartOperation();
  const undoWindowMs = useQuery(metaQuery).data?.undoWindowMs;
  const removes = act.kind === 'remove';
  const mustType = removes && plan.eligible > REMOVE_UNTYPED_MAX;
  const refusal = useRefusal(roleFor(act.kind));
  const unavailable =
    refusal ?? lackOf({ eligible: plan.eligible, rate, noReason: removes && reason.trim() === '', mustType, typed });
  const send = useAnsweredAct({
    send: start.mutateAsync,
    told: ({ operation }) => watchOperation(operation.id),
    closed: () => {
      request.onDone?.();
      onClose();
    },
  });
  const submit = () =>
    send({
      planId,
      requestId,
      ratePerSecond: Number(rate),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    });
  return (
    <ActForm
      error={start.error}
      busy={start.isPending}
      confirm={bulkText.confirm(act, plan.eligible)}
      danger={removes || act.kind === 'cancel' || act.kind === 'drain'}
      repeatable
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
