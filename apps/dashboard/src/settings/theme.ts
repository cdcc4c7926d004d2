import { StoredSetting } from './stored-setting.js';

export type Theme = 'light' | 'dark' | 'system';

export const themeSetting = new StoredSetting<Theme>(
  'theme',
  'system',
  (value): value is Theme => value === 'light' || value === 'dark' || value === 'system',
);

/** public/theme.js does the same before the first paint. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  themeSetting.set(theme);
}

/** Calls when the colours in effect may have changed, by choice or by the operating system. */
export function onThemeChange(call: () => void): () => void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', call);
  const unsubscribe = themeSetting.subscribe(call);
  return () => {
    dark.removeEventListener('change', call);
    unsubscribe();
  };
}
