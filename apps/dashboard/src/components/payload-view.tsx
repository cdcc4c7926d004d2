import type { PayloadText } from '@holdfast/contract';
import { useMemo, useState } from 'react';
import { readJson } from '../format/json-tree.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { JsonView, type JsonViewText } from './json-view.js';
import styles from './payload-view.module.css';
import { ScrollRegion } from './scroll-region.js';
import { VisibleText } from './visible-text.js';

export interface PayloadViewText extends JsonViewText {
  readonly asTree: string;
  readonly asSent: string;
  readonly copy: string;
  readonly copied: string;
  readonly truncated: (shownBytes: number, bytes: number) => string;
  readonly binary: string;
  readonly notJson: string;
  readonly redacted: string;
  readonly download: string;
}

interface PayloadViewProps {
  readonly title: string;
  readonly size: string;
  readonly payload: PayloadText;
  readonly text: PayloadViewText;
  /** Where the whole of it can be had as a file. */
  readonly wholeAt?: string | undefined;
}

/** A payload or result: as a JSON tree when it is one, or exactly as it was sent. */
export function PayloadView({ title, size, payload, text, wholeAt }: PayloadViewProps) {
  const [raw, setRaw] = useState(false);
  const tree = useMemo(
    () => (payload.encoding === 'text' && !payload.truncated ? readJson(payload.text) : undefined),
    [payload.encoding, payload.truncated, payload.text],
  );
  return (
    <section className={styles.payload}>
      <header className={styles.header}>
        <h3>
          {title} <span className={styles.size}>{size}</span>
        </h3>
        <div className={styles.tools}>
          {tree !== undefined && (
            <Button look="quiet" size="small" onClick={() => setRaw(!raw)}>
              {raw ? text.asTree : text.asSent}
            </Button>
          )}
          {wholeAt !== undefined && (
            <a className={styles.download} href={wholeAt} download>
              {text.download}
            </a>
          )}
          <CopyButton text={payload.text} label={text.copy} copiedLabel={text.copied} />
        </div>
      </header>
      {notes(payload, tree !== undefined, text).map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
      <ScrollRegion className={styles.body} label={title}>
        {tree === undefined || raw ? (
          <pre className={styles.raw}>
            <VisibleText text={payload.text} lines />
          </pre>
        ) : (
          <JsonView node={tree} text={text} />
        )}
      </ScrollRegion>
    </section>
  );
}

function notes(payload: PayloadText, isTree: boolean, text: PayloadViewText): readonly string[] {
  const redacted = payload.redacted === true ? [text.redacted] : [];
  if (payload.encoding === 'base64') return [text.binary, ...redacted];
  if (payload.truncated) {
    return [text.truncated(new TextEncoder().encode(payload.text).length, payload.bytes), ...redacted];
  }
  return isTree ? redacted : [text.notJson, ...redacted];
}
