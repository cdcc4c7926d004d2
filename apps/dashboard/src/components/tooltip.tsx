import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement } from 'react';
import styles from './tooltip.module.css';

export function TooltipProvider({ children }: { readonly children: ReactElement }) {
  return <Radix.Provider delayDuration={300}>{children}</Radix.Provider>;
}

/** A note on hover and focus, beside its control in the document too. Without text the child stands alone. */
export function Tooltip({ text, children }: { readonly text: string | undefined; readonly children: ReactElement }) {
  if (text === undefined) return children;
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Content className={styles.content} side="bottom" sideOffset={6} collisionPadding={8}>
        {text}
      </Radix.Content>
    </Radix.Root>
  );
}
