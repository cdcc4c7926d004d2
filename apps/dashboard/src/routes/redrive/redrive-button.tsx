import type { ButtonProps } from '../../components/button.js';
import { ActButton, useRefusal } from '../acts/act-button.js';
import { type RedriveRequest, useAskToRedrive } from './redrive-request.js';

interface RedriveButtonProps {
  readonly request: RedriveRequest;
  readonly label: string;
  readonly look?: ButtonProps['look'];
  readonly size?: ButtonProps['size'];
  /** Why it cannot be done now, whoever asks. */
  readonly unavailable?: string | undefined;
}

/** Without the right it is shown all the same, and says why it does nothing: it stays focusable for that. */
export function RedriveButton({ request, label, look = 'plain', size = 'regular', unavailable }: RedriveButtonProps) {
  const ask = useAskToRedrive();
  return (
    <ActButton needs="operator" look={look} size={size} unavailable={unavailable} onAct={() => ask(request)}>
      {label}
    </ActButton>
  );
}

/** For keys and buttons alike: `refusal` says in words why the person may not. */
export function useRedriveIfAllowed(): {
  readonly refusal: string | undefined;
  redrive(request: RedriveRequest): void;
} {
  const ask = useAskToRedrive();
  const refusal = useRefusal('operator');
  return { refusal, redrive: (request) => refusal === undefined && ask(request) };
}
