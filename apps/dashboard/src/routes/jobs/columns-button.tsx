import { Button } from '../../components/button.js';
import { PanelButton } from '../../components/panel-button.js';
import { useSetting } from '../../settings/stored-setting.js';
import styles from './columns-button.module.css';
import { CHOICES, jobColumnsSetting, showFirstJobColumns, toggleJobColumn } from './job-columns.js';
import { jobsText } from './jobs-text.js';

/** Which columns lists of jobs have, all of them alike. */
export function ColumnsButton() {
  const chosen = useSetting(jobColumnsSetting);
  return (
    <PanelButton label={jobsText.columnsButton} title={jobsText.columnsTitle}>
      {() => (
        <>
          <ul className={styles.list}>
            {CHOICES.map((column) => (
              <li key={column}>
                <label className={styles.choice}>
                  <input type="checkbox" checked={chosen.includes(column)} onChange={() => toggleJobColumn(column)} />
                  {jobsText.columns[column]}
                </label>
              </li>
            ))}
          </ul>
          <Button look="quiet" size="small" onClick={showFirstJobColumns}>
            {jobsText.columnsAtFirst}
          </Button>
        </>
      )}
    </PanelButton>
  );
}
