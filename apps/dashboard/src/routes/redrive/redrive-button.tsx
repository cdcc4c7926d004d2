import { mayRedrive, useRole } from '../../api/meta.js';
import { Button, type ButtonProps } from '../../components/button.js';
import { Tooltip } from '../../components/tooltip.js';
import { type RedriveRequest, useAskToRedrive } from './redrive-request.js';
import { redriveText } from './redrive-text.js';

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
  const ask = useRedriveIfAllowed();
  const reason = ask.refusal ?? unavailable;
  return (
    <Tooltip text={reason}>
      <Button
        look={look}
        size={size}
        aria-disabled={reason !== undefined}
        onClick={() => reason === undefined && ask.redrive(request)}
      >
        {label}
      </Button>
    </Tooltip>
  );
}

/** For keys and buttons alike: `refusal` says in words why the person may not. */
export function useRedriveIfAllowed(): {
  readonly refusal: string | undefined;
  redrive(request: RedriveRequest): void;
} {
  const role = useRole();
  const ask = useAskToRedrive();
  const refusal = mayRedrive(role)
    ? undefined
    : role === undefined
      ? redriveText.roleUnknown
      : redriveText.needsRole(role);
  return { refusal, redrive: (request) => refusal === undefined && ask(request) };
}
