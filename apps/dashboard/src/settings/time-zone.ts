import { showTimesIn } from '../format/time.js';
import { StoredSetting } from './stored-setting.js';

export type TimeZone = 'local' | 'utc';

export const timeZoneSetting = new StoredSetting<TimeZone>(
  'timeZone',
  'local',
  (value): value is TimeZone => value === 'local' || value === 'utc',
);

showTimesIn(timeZoneSetting.get());

export function toggleTimeZone(): void {
  const zone = timeZoneSetting.get() === 'utc' ? 'local' : 'utc';
  // Before anybody is told: they format anew at once.
  showTimesIn(zone);
  timeZoneSetting.set(zone);
}
