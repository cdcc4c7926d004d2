import { useQuery } from '@tanstack/react-query';
import { Dialog as Radix } from 'radix-ui';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useFeature } from '../../api/meta.js';
import { overviewQuery } from '../../api/overview.js';
import { classNames } from '../../components/class-names.js';
import { useOpener } from '../../components/dialog.js';
import dialog from '../../components/dialog.module.css';
import { Icon } from '../../components/icon.js';
import { useListbox } from '../../components/use-listbox.js';
import { togglePause } from '../../live/pause.js';
import { CALM_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import { useSetting } from '../../settings/stored-setting.js';
import { chooseTheme } from '../../settings/theme.js';
import { toggleTimeZone } from '../../settings/time-zone.js';
import { useRefusal } from '../acts/act-button.js';
import { useAskToAct } from '../acts/acts-provider.js';
import { useResumeNow } from '../acts/resume.js';
import { savedViews } from '../jobs/saved-views.js';
import { useAskToRedrive } from '../redrive/redrive-request.js';
import styles from './command-palette.module.css';
import { type Command, commandsOf, matching, searchesFor } from './commands.js';
import { closePalette, togglePalette, usePaletteOpen } from './palette-open.js';
import { paletteText } from './palette-text.js';

/** Everything by its name: `Ctrl`/`⌘` `K` from anywhere. */
export function CommandPalette() {
  const open = usePaletteOpen();
  const giveFocusBack = useOpener(open);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      // Over another dialog it would hide what is being confirmed.
      if (document.querySelector('[role="dialog"]') !== null && !paletteIsShown()) return;
      event.preventDefault();
      togglePalette();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && closePalette()}>
      <Radix.Portal>
        <div className={dialog.backdrop} />
        <Radix.Content
          className={classNames(dialog.content, styles.palette)}
          aria-describedby={undefined}
          onCloseAutoFocus={giveFocusBack}
        >
          <Radix.Title className={styles.hidden}>{paletteText.title}</Radix.Title>
          {open && <Finder />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function paletteIsShown(): boolean {
  return document.querySelector(`.${CSS.escape(styles.palette ?? '')}`) !== null;
}

function Finder() {
  const [text, setText] = useState('');
  const all = useCommands();
  const [, navigate] = useLocation();
  const found = [...matching(all, text), ...searchesFor(text.trim(), navigate)];
  const run = (index: number) => {
    const command = found[index];
    if (command === undefined) return;
    closePalette();
    // After the palette has given focus back, so that a dialog that opens now can give it back in turn.
    setTimeout(command.run);
  };
  const list = useListbox(found.length, text, 0, run);
  return (
    <>
      <div className={styles.field}>
        <Icon name="search" size={16} />
        <input
          {...list.field}
          // biome-ignore lint/a11y/noAutofocus: the palette is a dialog that is opened to type in.
          autoFocus
          aria-label={paletteText.label}
          placeholder={paletteText.placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={list.onKey}
        />
        <kbd>Esc</kbd>
      </div>
      <div id={list.listId} role="listbox" aria-label={paletteText.title} className={styles.list}>
        {found.map((command, index) => (
          <div
            key={`${command.group} ${command.label}`}
            id={list.optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === list.active}
            className={classNames(styles.option, index === list.active && styles.active)}
            onMouseMove={() => list.setActive(index)}
            onMouseDown={(event) => {
              event.preventDefault();
              run(index);
            }}
          >
            <span className={styles.group}>{paletteText.groups[command.group]}</span>
            <span className={styles.label}>{command.label}</span>
            {command.key !== undefined && <kbd>{command.key}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={styles.none}>{paletteText.none}</p>}
    </>
  );
}

function useCommands(): readonly Command[] {
  const [, navigate] = useLocation();
  const ask = useAskToAct();
  const redrive = useAskToRedrive();
  const resume = useResumeNow();
  const mayAct = useRefusal('operator') === undefined;
  const planned = useFeature('bulk');
  const queues = useQuery(overviewQuery(useRefresh(CALM_REFRESH_MS))).data?.queues ?? [];
  const views = useSetting(savedViews);
  return commandsOf({
    queues,
    views,
    mayAct,
    planned,
    go: navigate,
    ask,
    redrive,
    resume,
    togglePause,
    toggleTimeZone,
    theme: chooseTheme,
  });
}
