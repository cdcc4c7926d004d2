import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Button } from './button.js';
import { classNames } from './class-names.js';
import { Icon } from './icon.js';
import styles from './toasts.module.css';

export interface Toast {
  readonly id: number;
  readonly tone: 'done' | 'failed';
  readonly text: string;
  readonly detail?: string;
  /** One thing that can be done about it, such as taking it back. */
  readonly act?: { readonly label: string; readonly run: () => void };
}

const SHOWN_MAX = 3;
const DONE_MS = 10_000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Says what an act came to. Failures stay until they are dismissed. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  change([...toasts, { ...toast, id: lastId }].slice(-SHOWN_MAX));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface ToastsProps {
  readonly label: string;
  readonly dismissLabel: string;
  /** Stands above the toasts and stays. */
  readonly children?: ReactNode;
}

/** The region is always there, so that assistive technology hears what is put into it. */
export function Toasts({ label, dismissLabel, children }: ToastsProps) {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section aria-label={label} className={styles.region}>
      {children}
      <div role="status" aria-live="polite" className={styles.list}>
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} dismissLabel={dismissLabel} />
        ))}
      </div>
    </section>
  );
}

function ToastCard({ toast, dismissLabel }: { readonly toast: Toast; readonly dismissLabel: string }) {
  useEffect(() => {
    if (toast.tone === 'failed') return undefined;
    const timer = setTimeout(() => dismiss(toast.id), DONE_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div className={classNames(styles.toast, styles[toast.tone])}>
      <span className={styles.icon}>
        <Icon name={toast.tone === 'done' ? 'completed' : 'warning'} />
      </span>
      <div className={styles.text}>
        <p>{toast.text}</p>
        {toast.detail !== undefined && <p className={styles.detail}>{toast.detail}</p>}
      </div>
      {toast.act !== undefined && <ToastAct id={toast.id} act={toast.act} />}
      <Button look="quiet" size="small" square aria-label={dismissLabel} onClick={() => dismiss(toast.id)}>
        <Icon name="close" />
      </Button>
    </div>
  );
}

function ToastAct({ id, act }: { readonly id: number; readonly act: NonNullable<Toast['act']> }) {
  const run = () => {
    dismiss(id);
    act.run();
  };
  return (
    <Button size="small" onClick={run}>
      {act.label}
    </Button>
  );
}
