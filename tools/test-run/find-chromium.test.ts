import { expect, it } from 'vitest';
import { installedChromium } from '../../scripts/find-chromium.mjs';

function machine(platform: NodeJS.Platform, env: Record<string, string>, files: readonly string[]) {
  return { platform, env, exists: (path: string) => files.includes(path) };
}

it('takes the browser that CHROMIUM names before any other', () => {
  const both = machine('linux', { CHROMIUM: '/opt/mine', PATH: '/usr/bin' }, ['/opt/mine', '/usr/bin/chromium']);
  expect(installedChromium(both)).toBe('/opt/mine');
});

it('does not go behind a wrong CHROMIUM to another browser', () => {
  const wrong = machine('linux', { CHROMIUM: '/opt/gone', PATH: '/usr/bin' }, ['/usr/bin/chromium']);
  expect(() => installedChromium(wrong)).toThrow('CHROMIUM names /opt/gone, which does not exist.');
});

it.each([
  ['linux', { PATH: '/usr/local/bin:/usr/bin' }, '/usr/bin/google-chrome'],
  ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium'],
  [
    'win32',
    { 'PROGRAMFILES(X86)': 'C:\\Program Files (x86)' },
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  ],
] as const)('looks in the usual places of %s', (platform, env, path) => {
  expect(installedChromium(machine(platform, env, [path]))).toBe(path);
});

it('knows when there is none', () => {
  expect(installedChromium(machine('linux', {}, []))).toBeUndefined();
});
