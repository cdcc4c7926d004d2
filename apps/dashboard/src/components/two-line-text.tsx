import { visibleText } from '../format/hostile-text.js';
import styles from './two-line-text.module.css';
import { VisibleText } from './visible-text.js';

/** A name in a list: on two lines where one has no room for it. What is longer still is in its note. */
export function TwoLineText({ text }: { readonly text: string }) {
  return (
    <span className={styles.lines} title={visibleText(text)}>
      <VisibleText text={text} />
    </span>
  );
}
