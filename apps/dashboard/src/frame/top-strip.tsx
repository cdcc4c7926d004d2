import { useQuery } from '@tanstack/react-query';
import { metaQuery } from '../api/meta.js';
import { Button } from '../components/button.js';
import { classNames } from '../components/class-names.js';
import { Icon } from '../components/icon.js';
import { Tooltip } from '../components/tooltip.js';
import { VisibleText } from '../components/visible-text.js';
import { visibleText } from '../format/hostile-text.js';
import { useFreshness } from '../live/freshness.js';
import { togglePause } from '../live/pause.js';
import { useServerNow } from '../live/server-now.js';
import { useSetting } from '../settings/stored-setting.js';
import { timeZoneSetting, toggleTimeZone } from '../settings/time-zone.js';
import { frameText } from './frame-text.js';
import { ThemeSwitch } from './theme-switch.js';
import styles from './top-strip.module.css';

interface TopStripProps {
  readonly onHelp: () => void;
  readonly onCommands: () => void;
}

export function TopStrip({ onHelp, onCommands }: TopStripProps) {
  const meta = useQuery(metaQuery).data;
  return (
    <header className={styles.strip}>
      {meta?.environment !== undefined && (
        <span
          className={classNames(styles.environment, styles[meta.environment.tone])}
          title={visibleText(meta.environment.label)}
        >
          <VisibleText text={meta.environment.label} />
        </span>
      )}
      <LiveIndicator />
      <span className={styles.space} />
      <button type="button" className={styles.commands} onClick={onCommands} aria-label={frameText.palette}>
        <Icon name="search" size={14} />
        <span className={styles.commandsWord}>{frameText.palette}</span>
        <kbd>{frameText.paletteKey}</kbd>
      </button>
      {meta !== undefined && (
        <span className={styles.actor} title={visibleText(frameText.role(meta.role, meta.actor))}>
          <VisibleText text={frameText.role(meta.role, meta.actor)} />
        </span>
      )}
      <TimeZoneButton />
      <ThemeSwitch />
      <span className={styles.help}>
        <Tooltip text={frameText.help}>
          <Button look="quiet" square aria-label={frameText.help} onClick={onHelp}>
            <Icon name="help" />
          </Button>
        </Tooltip>
      </span>
    </header>
  );
}

function LiveIndicator() {
  const freshness = useFreshness();
  const nowMs = useServerNow();
  const paused = freshness.kind === 'paused';
  const words =
    freshness.kind === 'waiting'
      ? frameText.waiting
      : freshness.kind === 'live'
        ? frameText.live(nowMs - freshness.sinceMs)
        : frameText[freshness.kind](freshness.sinceMs);
  return (
    <span className={classNames(styles.live, styles[freshness.kind])}>
      <Button
        look="quiet"
        size="small"
        square
        aria-label={paused ? frameText.resume : frameText.pause}
        title={`${paused ? frameText.resume : frameText.pause} (.)`}
        onClick={togglePause}
      >
        <Icon name={paused ? 'play' : 'pause'} size={14} />
      </Button>
      <span className={styles.dot} aria-hidden="true" />
      <span>{words}</span>
    </span>
  );
}

/** One zone for every time of the page. */
function TimeZoneButton() {
  const zone = useSetting(timeZoneSetting);
  return (
    <button type="button" className={styles.zone} title={frameText.zoneNote} onClick={toggleTimeZone}>
      {frameText.zones[zone]}
    </button>
  );
}
