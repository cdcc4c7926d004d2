import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { type Listbox, useListbox } from '../../components/use-listbox.js';
import { visibleText } from '../../format/hostile-text.js';
import styles from './filter-bar.module.css';
import { type Completion, completionsOf } from './filter-completions.js';
import { parseFilter } from './filter-tokens.js';
import { filterText, withFilterText } from './jobs-search.js';
import { jobsText } from './jobs-text.js';

const TYPING_MS = 450;

interface FilterBarProps {
  readonly text: string;
  readonly queues: readonly string[];
  readonly onText: (text: string) => void;
  readonly ref: Ref<HTMLInputElement>;
}

/** One line that says which jobs are meant. What cannot be used is said, not ignored. */
export function FilterBar({ text, queues, onText, ref }: FilterBarProps) {
  const { typed, setTyped, apply, problems } = useTyped(text, onText);
  const [open, setOpen] = useState(false);
  const completions = open ? completionsOf(typed, queues) : [];
  const take = ({ whole }: Completion) => {
    setTyped(whole);
    if (whole.endsWith(' ')) apply(whole);
  };
  const choices = completions.map(({ insert }) => insert).join(' ');
  const list = useListbox(completions.length, choices, -1, (index) => {
    const chosen = completions[index];
    if (chosen !== undefined) take(chosen);
  });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (list.onKey(event)) return;
    if (event.key === 'Enter') apply(typed);
    if (event.key === 'Enter' || event.key === 'Escape') setOpen(false);
    if (event.key === 'Escape' && completions.length === 0) event.currentTarget.blur();
  };
  return (
    <div className={styles.bar}>
      <Icon name="filter" size={14} />
      <input
        ref={ref}
        {...list.field}
        className={styles.input}
        aria-label={jobsText.filter}
        aria-invalid={problems !== ''}
        autoComplete="off"
        spellCheck={false}
        placeholder={jobsText.filterPlaceholder}
        value={typed}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setOpen(true);
          setTyped(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      {typed !== '' && <ClearButton onClear={() => apply('')} />}
      <Completions list={list} completions={completions} onTake={take} />
      <p role="status" className={styles.problem}>
        {problems}
      </p>
    </div>
  );
}

/** Applies when typing rests after a whole token, or at once with Enter. What somebody types is never rewritten under their hands. */
function useTyped(text: string, onText: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const applied = useRef(text);
  useEffect(() => {
    // By a link or the way back, not by what was typed here.
    if (text !== applied.current) setTyped(text);
    applied.current = text;
  }, [text]);
  const apply = (next: string) => {
    if (parseFilter(next).problems.length > 0) return;
    applied.current = normalised(next);
    setTyped(next);
    onText(next.trim());
  };
  const whole = typed.trim() === '' || /:[^\s:]+$/.test(typed);
  useEffect(() => {
    if (!whole || normalised(typed) === text) return undefined;
    const timer = setTimeout(() => apply(typed), TYPING_MS);
    return () => clearTimeout(timer);
  });
  return { typed, setTyped, apply, problems: visibleText(parseFilter(typed).problems.join(' · ')) };
}

/** As the address will bring it back. */
function normalised(text: string): string {
  return filterText(withFilterText({}, text));
}

function ClearButton({ onClear }: { readonly onClear: () => void }) {
  return (
    <Button look="quiet" size="small" square aria-label={jobsText.clearFilter} onClick={onClear}>
      <Icon name="close" size={14} />
    </Button>
  );
}

interface CompletionsProps {
  readonly list: Listbox;
  readonly completions: readonly Completion[];
  readonly onTake: (completion: Completion) => void;
}

function Completions({ list, completions, onTake }: CompletionsProps) {
  return (
    <div
      id={list.listId}
      role="listbox"
      aria-label={jobsText.filterCompletions}
      className={styles.list}
      hidden={completions.length === 0}
    >
      {completions.map((completion, index) => (
        <div
          key={completion.insert}
          id={list.optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === list.active}
          className={classNames(styles.option, index === list.active && styles.active)}
          // Before the field loses its focus, which would close the list.
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(completion);
          }}
        >
          <code>{visibleText(completion.insert)}</code>
          <span>{completion.meaning}</span>
        </div>
      ))}
    </div>
  );
}
