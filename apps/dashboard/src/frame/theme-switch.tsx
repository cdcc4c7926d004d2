import type { IconName } from '../components/icon.js';
import { Icon } from '../components/icon.js';
import { useSetting } from '../settings/stored-setting.js';
import { chooseTheme, type Theme, themeSetting } from '../settings/theme.js';
import { frameText } from './frame-text.js';
import styles from './theme-switch.module.css';

const CHOICES: readonly { readonly theme: Theme; readonly icon: IconName }[] = [
  { theme: 'light', icon: 'sun' },
  { theme: 'system', icon: 'system' },
  { theme: 'dark', icon: 'moon' },
];

export function ThemeSwitch() {
  const chosen = useSetting(themeSetting);
  return (
    <fieldset className={styles.switch}>
      <legend className={styles.legend}>{frameText.theme}</legend>
      {CHOICES.map(({ theme, icon }) => (
        <label key={theme} className={styles.choice} title={frameText.themes[theme]}>
          <input
            type="radio"
            name="theme"
            className={styles.input}
            checked={theme === chosen}
            aria-label={frameText.themes[theme]}
            onChange={() => chooseTheme(theme)}
          />
          <Icon name={icon} size={14} />
        </label>
      ))}
    </fieldset>
  );
}
