import styles from './end-text.module.css';
import { VisibleText } from './visible-text.js';

const END_CHARACTERS = 14;
/** Shorter texts are not worth a cut. */
const WHOLE_CHARACTERS = 20;

/** One line whose end tells it from others, as it is with workers of one machine: where there is no room, what stands before the end is cut. */
export function EndText({ text }: { readonly text: string }) {
  const characters = [...text];
  if (characters.length <= WHOLE_CHARACTERS) return <VisibleText text={text} />;
  return (
    <span className={styles.line}>
      <span className={styles.start}>
        <VisibleText text={characters.slice(0, -END_CHARACTERS).join('')} />
      </span>
      <span className={styles.end}>
        <VisibleText text={characters.slice(-END_CHARACTERS).join('')} />
      </span>
    </span>
  );
}
