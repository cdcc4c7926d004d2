import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { PanelButton } from '../../components/panel-button.js';
import { VisibleText } from '../../components/visible-text.js';
import { visibleText } from '../../format/hostile-text.js';
import { useSetting } from '../../settings/stored-setting.js';
import type { JobsSearch } from './jobs-search.js';
import { jobsText } from './jobs-text.js';
import { forgetView, type SavedView, savedViews, saveView, searchToSave, VIEW_NAME_MAX } from './saved-views.js';
import styles from './views-button.module.css';

/** Filters by names of one's own. Each is a link, so that it can be opened, copied and sent like any other. */
export function ViewsButton({ view }: { readonly view: JobsSearch }) {
  const views = useSetting(savedViews);
  const search = searchToSave(view);
  const here = views.find((saved) => saved.search === search);
  return (
    <PanelButton label={here === undefined ? jobsText.views : visibleText(here.name)} title={jobsText.viewsTitle}>
      {(close) => (
        <>
          {views.length === 0 ? (
            <p className={styles.none}>{jobsText.noViews}</p>
          ) : (
            <ul className={styles.list}>
              {views.map((saved) => (
                <ViewLine key={saved.name} saved={saved} here={saved === here} onOpen={close} />
              ))}
            </ul>
          )}
          {here === undefined && search !== '' && <SaveForm search={search} onSaved={close} />}
        </>
      )}
    </PanelButton>
  );
}

interface ViewLineProps {
  readonly saved: SavedView;
  readonly here: boolean;
  readonly onOpen: () => void;
}

function ViewLine({ saved, here, onOpen }: ViewLineProps) {
  return (
    <li className={styles.line}>
      <Link href={`/jobs${saved.search}`} aria-current={here ? 'true' : undefined} onClick={onOpen}>
        <VisibleText text={saved.name} />
      </Link>
      <Button
        look="quiet"
        size="small"
        square
        aria-label={jobsText.forgetView(visibleText(saved.name))}
        onClick={() => forgetView(saved.name)}
      >
        <Icon name="close" size={12} />
      </Button>
    </li>
  );
}

function SaveForm({ search, onSaved }: { readonly search: string; readonly onSaved: () => void }) {
  const [name, setName] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    saveView(name.trim(), search);
    onSaved();
  };
  return (
    <form className={styles.form} onSubmit={save}>
      <label className={styles.field}>
        <span>{jobsText.saveView}</span>
        <input
          value={name}
          maxLength={VIEW_NAME_MAX}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <Button type="submit" size="small" disabled={name.trim() === ''}>
        {jobsText.save}
      </Button>
    </form>
  );
}
