import { type ReactNode, useState } from 'react';
import type { JsonEntry, JsonNode } from '../format/json-tree.js';
import { classNames } from './class-names.js';
import { Icon } from './icon.js';
import styles from './json-view.module.css';
import { VisibleText } from './visible-text.js';

/** So many children are shown at once; the rest comes in equal steps. */
const CHILDREN_STEP = 100;
/** Containers below this depth start folded. */
const OPEN_DEPTH = 3;

export interface JsonViewText {
  readonly fold: string;
  readonly unfold: string;
  readonly more: (hidden: number) => string;
  readonly items: (count: number) => string;
  readonly keys: (count: number) => string;
}

interface NodeProps {
  readonly node: JsonNode;
  readonly text: JsonViewText;
  readonly name?: string;
  readonly depth?: number;
  readonly last?: boolean;
}

/** JSON as a tree of text nodes. Literals are shown with the characters they were sent with. */
export function JsonView({ node, text, name, depth = 0, last = true }: NodeProps) {
  const label = name === undefined ? null : <Key name={name} />;
  const comma = last ? '' : ',';
  if (node.kind === 'object' || node.kind === 'array') {
    return <Container node={node} text={text} label={label} depth={depth} comma={comma} />;
  }
  return (
    <div className={styles.line}>
      {label}
      <span className={styles[node.kind]}>
        <VisibleText text={node.literal} />
      </span>
      {comma}
    </div>
  );
}

function Key({ name }: { readonly name: string }) {
  return (
    <>
      <span className={styles.key}>
        <VisibleText text={name} />
      </span>
      {': '}
    </>
  );
}

interface ContainerProps {
  readonly node: Extract<JsonNode, { readonly kind: 'object' | 'array' }>;
  readonly text: JsonViewText;
  readonly label: ReactNode;
  readonly depth: number;
  readonly comma: string;
}

function Container({ node, text, label, depth, comma }: ContainerProps) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH);
  const [shown, setShown] = useState(CHILDREN_STEP);
  const children = childrenOf(node);
  const [start, end] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  if (children.length === 0) return <Empty label={label} marks={`${start}${end}${comma}`} />;
  const hidden = children.length - shown;
  const size = node.kind === 'object' ? text.keys(children.length) : text.items(children.length);
  return (
    <div>
      <div className={styles.line}>
        <FoldButton open={open} label={open ? text.fold : text.unfold} onToggle={() => setOpen(!open)} />
        {label}
        {open ? start : `${start}…${end}${comma}`}
        {!open && <span className={styles.size}> {size}</span>}
      </div>
      {open && (
        <>
          <div className={styles.children}>
            {children.slice(0, shown).map((child, index) => (
              <JsonView
                // biome-ignore lint/suspicious/noArrayIndexKey: keys may repeat; a place does not.
                key={index}
                node={child.value}
                text={text}
                {...(child.key === undefined ? {} : { name: child.key })}
                depth={depth + 1}
                last={index === children.length - 1}
              />
            ))}
            {hidden > 0 && (
              <button type="button" className={styles.more} onClick={() => setShown(shown + CHILDREN_STEP)}>
                {text.more(hidden)}
              </button>
            )}
          </div>
          <div className={styles.line}>{`${end}${comma}`}</div>
        </>
      )}
    </div>
  );
}

function Empty({ label, marks }: { readonly label: ReactNode; readonly marks: string }) {
  return (
    <div className={styles.line}>
      {label}
      {marks}
    </div>
  );
}

function childrenOf(node: ContainerProps['node']): readonly { readonly key?: string; readonly value: JsonNode }[] {
  return node.kind === 'object'
    ? (node.entries satisfies readonly JsonEntry[])
    : node.items.map((value) => ({ value }));
}

function FoldButton({ open, label, onToggle }: { open: boolean; label: string; onToggle: () => void }) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-label={label}
      className={classNames(styles.fold, !open && styles.folded)}
      onClick={onToggle}
    >
      <Icon name="down" size={10} />
    </button>
  );
}
