import { createContext, type ReactNode, useContext, useState } from 'react';
import { BulkDialog, type BulkRequest } from '../bulk/bulk-dialog.js';
import { CloneDialog, type CloneRequest } from './clone-dialog.js';
import { JobActDialog, type JobActRequest } from './job-act-dialog.js';
import { PauseDialog, type PauseRequest } from './pause-dialog.js';

export type ActRequest = JobActRequest | BulkRequest | PauseRequest | CloneRequest;

const AskToAct = createContext<(request: ActRequest) => void>(() => undefined);

/** The one door to changing something: whoever asks gets the dialog that fits, and there is only one at a time. */
export function ActsProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<{ readonly request: ActRequest; readonly number: number }>();
  const ask = (request: ActRequest) => setAsked((former) => ({ request, number: (former?.number ?? 0) + 1 }));
  const close = () => setAsked(undefined);
  return (
    <AskToAct value={ask}>
      {children}
      {asked !== undefined && <ActDialog key={asked.number} request={asked.request} onClose={close} />}
    </AskToAct>
  );
}

function ActDialog({ request, onClose }: { readonly request: ActRequest; readonly onClose: () => void }) {
  if (request.kind === 'job') return <JobActDialog request={request} onClose={onClose} />;
  if (request.kind === 'pause') return <PauseDialog request={request} onClose={onClose} />;
  if (request.kind === 'clone') return <CloneDialog request={request} onClose={onClose} />;
  return <BulkDialog request={request} onClose={onClose} />;
}

export function useAskToAct(): (request: ActRequest) => void {
  return useContext(AskToAct);
}
