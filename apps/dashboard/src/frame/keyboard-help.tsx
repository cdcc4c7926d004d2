import { Dialog } from '../components/dialog.js';
import { shortcutsEnabled } from '../keyboard/shortcuts.js';
import { useSetting } from '../settings/stored-setting.js';
import { frameText, shortcutGroups } from './frame-text.js';
import styles from './keyboard-help.module.css';

export function KeyboardHelp({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const enabled = useSetting(shortcutsEnabled);
  return (
    <Dialog open={open} title={frameText.help} closeLabel={frameText.close} onClose={onClose}>
      {shortcutGroups.map((group) => (
        <section key={group.title} className={styles.group}>
          <h3 className={styles.title}>{group.title}</h3>
          <dl className={styles.keys}>
            {group.keys.map(([keys, meaning]) => (
              <div key={keys} className={styles.row}>
                <dt className={styles.key}>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label className={styles.switch}>
        <input type="checkbox" checked={enabled} onChange={(event) => shortcutsEnabled.set(event.target.checked)} />
        <span>
          {frameText.shortcutsOn}
          <span className={styles.note}>{frameText.shortcutsOnNote}</span>
        </span>
      </label>
    </Dialog>
  );
}
