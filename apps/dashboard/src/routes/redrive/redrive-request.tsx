import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useFeature } from '../../api/meta.js';
import { useAskToAct } from '../acts/acts-provider.js';
import type { BulkRequest } from '../bulk/bulk-dialog.js';
import { RedriveDialog } from './redrive-dialog.js';

/** What is to be redriven: exactly these jobs, or all dead ones (of a queue) at the moment of the act. */
export type RedriveRequest =
  | { readonly kind: 'ids'; readonly ids: readonly string[]; readonly onDone?: () => void }
  | { readonly kind: 'allDead'; readonly queue: string | undefined; readonly onDone?: () => void };

const AskToRedrive = createContext<(request: RedriveRequest) => void>(() => undefined);

/** The one door to redriving: the dialog of all bulk acts, or a simpler one where the server cannot plan. */
export function RedriveProvider({ children }: { readonly children: ReactNode }) {
  const [request, setRequest] = useState<RedriveRequest>();
  const planned = useFeature('bulk');
  const askToAct = useAskToAct();
  const ask = (wanted: RedriveRequest) => (planned ? askToAct(bulkRequest(wanted)) : setRequest(wanted));
  const dialog = useMemo(
    () => request !== undefined && <RedriveDialog request={request} onClose={() => setRequest(undefined)} />,
    [request],
  );
  return (
    <AskToRedrive value={ask}>
      {children}
      {dialog}
    </AskToRedrive>
  );
}

function bulkRequest(request: RedriveRequest): BulkRequest {
  const { onDone } = request;
  const selection =
    request.kind === 'ids'
      ? { ids: request.ids }
      : { filter: { state: 'dead' as const, ...(request.queue === undefined ? {} : { queue: request.queue }) } };
  return { kind: 'bulk', target: { act: { kind: 'redrive' }, selection }, ...(onDone === undefined ? {} : { onDone }) };
}

export function useAskToRedrive(): (request: RedriveRequest) => void {
  return useContext(AskToRedrive);
}
