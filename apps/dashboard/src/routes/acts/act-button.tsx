import type { AdminRole } from '@holdfast/contract';
import { roleAllows, useReadOnly, useRole } from '../../api/meta.js';
import { Button, type ButtonProps } from '../../components/button.js';
import { Tooltip } from '../../components/tooltip.js';
import { actText } from './act-text.js';

interface ActButtonProps extends Omit<ButtonProps, 'onClick' | 'disabled'> {
  readonly needs: AdminRole;
  /** Why it cannot be done now, whoever asks. */
  readonly unavailable?: string | undefined;
  readonly onAct: () => void;
}

/** Without the right it is shown all the same, and says why it does nothing: it stays focusable for that. */
export function ActButton({ needs, unavailable, onAct, ...rest }: ActButtonProps) {
  const reason = useRefusal(needs) ?? unavailable;
  return (
    <Tooltip text={reason}>
      <Button {...rest} aria-disabled={reason !== undefined} onClick={() => reason === undefined && onAct()} />
    </Tooltip>
  );
}

/** For keys and buttons alike: says in words why the person may not. */
export function useRefusal(needs: AdminRole): string | undefined {
  const role = useRole();
  const isReadOnly = useReadOnly() !== undefined;
  if (isReadOnly) return actText.readOnly;
  if (roleAllows(role, needs)) return undefined;
  return role === undefined ? actText.roleUnknown : actText.needsRole(needs, role);
}
