import { useEffect, useState } from 'react';
import { Button } from './button.js';
import styles from './copy-button.module.css';
import { Icon } from './icon.js';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly copiedLabel: string;
  /** Shown beside the icon; without it the icon stands alone. */
  readonly word?: string;
}

export function CopyButton({ text, label, copiedLabel, word }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <>
      <Button
        look="quiet"
        size="small"
        square={word === undefined}
        aria-label={label}
        title={label}
        onClick={async () => setCopied(await copyText(text))}
      >
        <Icon name={copied ? 'completed' : 'copy'} size={14} />
        {word}
      </Button>
      <span role="status" className={styles.spoken}>
        {copied ? copiedLabel : ''}
      </span>
    </>
  );
}

/** The clipboard interface exists on secure pages only; dashboards are often served over plain HTTP inside a network. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.setAttribute('readonly', '');
    (document.activeElement?.closest('[role="dialog"]') ?? document.body).append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
}
