import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { RedriveDialog } from './redrive-dialog.js';

/** What is to be redriven: exactly these jobs, or all dead ones (of a queue) at the moment of the act. */
export type RedriveRequest =
  | { readonly kind: 'ids'; readonly ids: readonly string[]; readonly onDone?: () => void }
  | { readonly kind: 'allDead'; readonly queue: string | undefined; readonly onDone?: () => void };

const AskToRedrive = createContext<(request: RedriveRequest) => void>(() => undefined);

/** The one door to redriving: whoever asks gets the same dialog. */
export function RedriveProvider({ children }: { readonly children: ReactNode }) {
  const [request, setRequest] = useState<RedriveRequest>();
  const dialog = useMemo(
    () => request !== undefined && <RedriveDialog request={request} onClose={() => setRequest(undefined)} />,
    [request],
  );
  return (
    <AskToRedrive value={setRequest}>
      {children}
      {dialog}
    </AskToRedrive>
  );
}

export function useAskToRedrive(): (request: RedriveRequest) => void {
  return useContext(AskToRedrive);
}
