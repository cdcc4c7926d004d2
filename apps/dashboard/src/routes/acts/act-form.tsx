import { type FormEvent, type KeyboardEvent, type ReactNode, useId } from 'react';
import { ApiProblem } from '../../api/problem.js';
import { Banner } from '../../components/banner.js';
import { Button } from '../../components/button.js';
import { VisibleText } from '../../components/visible-text.js';
import styles from './act-form.module.css';
import { actText } from './act-text.js';
import { failedAct } from './failed-act.js';

export const REASON_MAX = 500;

interface ActFormProps {
  readonly error: Error | null;
  readonly busy: boolean;
  readonly confirm: string;
  /** Why it cannot be confirmed; nothing is sent then. */
  readonly unavailable?: string | undefined;
  readonly danger?: boolean;
  /** Whether the server knows a second try for what it is, so that nothing is done twice. */
  readonly repeatable?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The lower half of every dialog that changes something: the problem, what is asked, and two buttons. `Ctrl`/`⌘` `Enter` confirms. */
export function ActForm(props: ActFormProps) {
  const { error, busy, confirm, unavailable, danger = false, repeatable = false, onSubmit, onClose, children } = props;
  const noteId = useId();
  const submit = () => !busy && unavailable === undefined && onSubmit();
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => isSubmitChord(event) && submit()}
    >
      {error !== null && <NotApplied error={error} repeatable={repeatable} />}
      {children}
      <footer className={styles.acts}>
        {unavailable !== undefined && (
          <span id={noteId} className={styles.unavailable}>
            {unavailable}
          </span>
        )}
        <Button onClick={onClose}>{actText.keep}</Button>
        <Button
          type="submit"
          look={danger ? 'danger' : 'primary'}
          aria-disabled={busy || unavailable !== undefined}
          aria-describedby={unavailable === undefined ? undefined : noteId}
        >
          {busy ? actText.busy : confirm}
        </Button>
      </footer>
    </form>
  );
}

interface ReasonFieldProps {
  readonly reason: string;
  readonly needed?: boolean;
  /** Default: true. `false` where something else has to be told first. */
  readonly isFirst?: boolean;
  readonly onReason: (reason: string) => void;
}

export function ReasonField({ reason, needed = false, isFirst = true, onReason }: ReasonFieldProps) {
  return (
    <label className={styles.field}>
      <span>{needed ? actText.reasonNeeded : actText.reason}</span>
      <input
        // biome-ignore lint/a11y/noAutofocus: stands only in dialogs, where focus has to go somewhere useful.
        autoFocus={isFirst}
        required={needed}
        maxLength={REASON_MAX}
        value={reason}
        autoComplete="off"
        placeholder={actText.reasonPlaceholder}
        onChange={(event) => onReason(event.target.value)}
      />
    </label>
  );
}

function NotApplied({ error, repeatable }: { readonly error: Error; readonly repeatable: boolean }) {
  const { title, next } = failedAct(error, repeatable);
  return (
    <Banner tone="danger" title={title}>
      <VisibleText text={error.message} lines /> {next}
      {error instanceof ApiProblem && (
        <p className={styles.code}>
          <code>{error.code}</code> <code>{error.requestId}</code>
        </p>
      )}
    </Banner>
  );
}

function isSubmitChord(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey);
}
