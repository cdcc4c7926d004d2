import { Tooltip as Radix } from 'radix-ui';
import { type ReactElement, useState } from 'react';
import styles from './tooltip.module.css';

export function TooltipProvider({ children }: { readonly children: ReactElement }) {
  return <Radix.Provider delayDuration={300}>{children}</Radix.Provider>;
}

interface TooltipProps {
  /** Without it there is no note; the child stays the same element, so that focus stays too. */
  readonly text: string | undefined;
  readonly children: ReactElement;
}

/** A note on hover and focus, beside its control in the document too. */
export function Tooltip({ text, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  return (
    <Radix.Root open={open && text !== undefined} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Content className={styles.content} side="bottom" sideOffset={6} collisionPadding={8}>
        {text}
      </Radix.Content>
    </Radix.Root>
  );
}
