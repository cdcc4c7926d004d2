import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.js';
import { Icon } from './icon.js';
import styles from './panel-button.module.css';

interface PanelButtonProps {
  readonly label: string;
  /** What the panel is, to those who do not see it. */
  readonly title: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button with a small panel under it, which is closed by Escape, by a press elsewhere, and when focus goes elsewhere. */
export function PanelButton({ label, title, children }: PanelButtonProps) {
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  usePressElsewhere(frame.current, open, () => setOpen(false));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    // Not for what else Escape closes.
    event.preventDefault();
    close();
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null && frame.current?.contains(relatedTarget) === false) setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears what its button and panel were told.
    <div ref={frame} className={styles.frame} onKeyDown={onKeyDown} onBlur={onBlur}>
      <Button
        ref={button}
        look="quiet"
        size="small"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={() => setOpen(!open)}
      >
        {label}
        <Icon name="down" size={10} />
      </Button>
      {open && (
        <section id={panelId} aria-label={title} className={styles.panel}>
          {children(close)}
        </section>
      )}
    </div>
  );
}

/** A press on what takes no focus moves none, so it is heard of here. */
function usePressElsewhere(frame: HTMLElement | null, open: boolean, onPress: () => void): void {
  useEffect(() => {
    if (!open) return undefined;
    const hear = ({ target }: PointerEvent) => {
      if (target instanceof Node && frame?.contains(target) === false) onPress();
    };
    document.addEventListener('pointerdown', hear);
    return () => document.removeEventListener('pointerdown', hear);
  });
}
