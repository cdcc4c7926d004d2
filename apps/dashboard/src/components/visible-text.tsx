import { visibleParts } from '../format/hostile-text.js';
import styles from './visible-text.module.css';

/** Elements of one text; in what is behind them escapes look like the rest, so that a text of nothing else does not hold up the page. */
const PARTS_MAX = 1000;

/** Text from outside: as text nodes, isolated from the direction of its surroundings, with deceiving characters shown. */
export function VisibleText({ text, lines = false }: { readonly text: string; readonly lines?: boolean }) {
  const parts = visibleParts(text, lines);
  return (
    <bdi>
      {parts.slice(0, PARTS_MAX).map((part, index) =>
        part.escaped ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place.
          <span key={index} className={styles.escape}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
      {parts.length > PARTS_MAX &&
        parts
          .slice(PARTS_MAX)
          .map((part) => part.text)
          .join('')}
    </bdi>
  );
}
