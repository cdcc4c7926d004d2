import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.js';
import { classNames } from './class-names.js';
import styles from './dialog.module.css';
import { Icon } from './icon.js';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/**
 * A modal dialog: traps focus, closes on Escape, gives focus back. The backdrop is our own element because Radix's
 * overlay locks scrolling by injecting a style sheet, which the content security policy forbids.
 */
export function Dialog({ open, title, closeLabel, onClose, children, wide = false }: DialogProps) {
  const giveFocusBack = useOpener(open);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className={styles.backdrop} />
        <Radix.Content
          className={classNames(styles.content, wide && styles.wide)}
          aria-describedby={undefined}
          onCloseAutoFocus={giveFocusBack}
        >
          <header className={styles.header}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            <Radix.Close asChild>
              <Button look="quiet" size="small" square aria-label={closeLabel}>
                <Icon name="close" />
              </Button>
            </Radix.Close>
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Dialogs here are opened by keys as well as by buttons, so it is noted who had focus. If that is gone, the page gets it. */
export function useOpener(open: boolean): (event: Event) => void {
  const wasOpen = useRef(false);
  const opener = useRef<Element>(null);
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  return (event) => {
    event.preventDefault();
    const target = opener.current?.isConnected === true ? opener.current : document.querySelector('main');
    if (target instanceof HTMLElement) target.focus();
  };
}
