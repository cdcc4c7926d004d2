import { type ReactNode, useMemo, useState } from 'react';
import type { JsonEntry, JsonNode } from '../format/json-tree.js';
import { classNames } from './class-names.js';
import { Icon } from './icon.js';
import styles from './json-view.module.css';
import { VisibleText } from './visible-text.js';

/** So many children are shown at once; the rest comes in equal steps. */
const CHILDREN_STEP = 100;
/** Containers below this depth start folded. */
const OPEN_DEPTH = 3;
/** Children of all containers that start unfolded, together: more of them would hold the page up before anybody has read the first. */
const OPEN_CHILDREN_MAX = 500;

export interface JsonViewText {
  readonly fold: string;
  readonly unfold: string;
  readonly more: (hidden: number) => string;
  readonly items: (count: number) => string;
  readonly keys: (count: number) => string;
}

interface JsonViewProps {
  readonly node: JsonNode;
  readonly text: JsonViewText;
}

/** JSON as a tree of text nodes. Literals are shown with the characters they were sent with. */
export function JsonView({ node, text }: JsonViewProps) {
  const open = useMemo(() => openAtFirst(node), [node]);
  return <Node node={node} text={text} open={open} />;
}

/** What starts unfolded: the outer ones first, as far as they are few enough together. */
function openAtFirst(root: JsonNode): ReadonlySet<JsonNode> {
  const open = new Set<JsonNode>();
  let level: readonly JsonNode[] = [root];
  let children = 0;
  for (let depth = 0; depth < OPEN_DEPTH; depth++) {
    const next: JsonNode[] = [];
    for (const node of level) {
      if (!isContainer(node)) continue;
      const shown = childrenOf(node).slice(0, CHILDREN_STEP);
      if (children + shown.length > OPEN_CHILDREN_MAX) continue;
      children += shown.length;
      open.add(node);
      next.push(...shown.map(({ value }) => value));
    }
    level = next;
  }
  return open;
}

interface NodeProps extends JsonViewProps {
  readonly open: ReadonlySet<JsonNode>;
  readonly name?: string;
  readonly last?: boolean;
}

function Node({ node, text, open, name, last = true }: NodeProps) {
  const label = name === undefined ? null : <Key name={name} />;
  const comma = last ? '' : ',';
  if (isContainer(node)) return <Container node={node} text={text} open={open} label={label} comma={comma} />;
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

type JsonContainer = Extract<JsonNode, { readonly kind: 'object' | 'array' }>;

interface ContainerProps {
  readonly node: JsonContainer;
  readonly text: JsonViewText;
  readonly open: ReadonlySet<JsonNode>;
  readonly label: ReactNode;
  readonly comma: string;
}

function Container({ node, text, open: openFirst, label, comma }: ContainerProps) {
  const [open, setOpen] = useState(openFirst.has(node));
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
              <Node
                // biome-ignore lint/suspicious/noArrayIndexKey: keys may repeat; a place does not.
                key={index}
                node={child.value}
                text={text}
                open={openFirst}
                {...(child.key === undefined ? {} : { name: child.key })}
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

function isContainer(node: JsonNode): node is JsonContainer {
  return node.kind === 'object' || node.kind === 'array';
}

function childrenOf(node: JsonContainer): readonly { readonly key?: string; readonly value: JsonNode }[] {
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
