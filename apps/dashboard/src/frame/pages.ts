import type { IconName } from '../components/icon.js';
import { frameText } from './frame-text.js';

export interface PageEntry {
  readonly path: string;
  readonly key: string;
  readonly icon: IconName;
  readonly title: string;
}

/** The pages in the order of the rail. `key` follows `g`. */
export const PAGES: readonly PageEntry[] = [
  { path: '/', key: 'o', icon: 'overview', title: frameText.pages.overview },
  { path: '/jobs', key: 'j', icon: 'jobs', title: frameText.pages.jobs },
  { path: '/dead', key: 'd', icon: 'dead', title: frameText.pages.dead },
  { path: '/leases', key: 'l', icon: 'leases', title: frameText.pages.leases },
  { path: '/storage', key: 's', icon: 'storage', title: frameText.pages.storage },
  { path: '/activity', key: 'a', icon: 'activity', title: frameText.pages.activity },
];
