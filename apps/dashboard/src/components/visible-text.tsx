import { visibleParts } from '../format/hostile-text.js';
import styles from './visible-text.module.css';

/** Text from outside: as text nodes, isolated from the direction of its surroundings, with deceiving characters shown. */
export function VisibleText({ text, lines = false }: { readonly text: string; readonly lines?: boolean }) {
  return (
    <bdi>
      {visibleParts(text, lines).map((part, index) =>
        part.escaped ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place.
          <span key={index} className={styles.escape}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}
