import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSetting } from '../../settings/stored-setting.js';
import { onThemeChange } from '../../settings/theme.js';
import { timeZoneSetting } from '../../settings/time-zone.js';
import { chartColours } from './chart-colours.js';
import type { Heatmap } from './heatmap.js';
import styles from './heatmap.module.css';
import { columnAt, paintHeatmap } from './heatmap-paint.js';

interface HeatmapCanvasProps {
  readonly map: Heatmap;
  readonly format: (value: number) => string;
  readonly label: string;
  readonly cursor: number | null;
  readonly onCursor: (column: number | null) => void;
}

/** The picture on its canvas. Pointer and arrow keys read it column by column. */
export function HeatmapCanvas({ map, format, label, cursor, onCursor }: HeatmapCanvasProps) {
  const holder = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(holder);
  const [themes, setThemes] = useState(0);
  useEffect(() => onThemeChange(() => setThemes((times) => times + 1)), []);
  const zone = useSetting(timeZoneSetting);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours, another zone other times.
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || holder.current === null || size.width === 0) return;
    const scale = window.devicePixelRatio || 1;
    context.canvas.width = Math.round(size.width * scale);
    context.canvas.height = Math.round(size.height * scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    paintHeatmap(context, { map, format, cursor, colours: chartColours(holder.current), ...size });
  }, [map, format, cursor, size, themes, zone]);
  return (
    <div
      ref={holder}
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is read with arrow keys.
      tabIndex={0}
      aria-label={label}
      className={styles.plot}
      onKeyDown={(event) => moveCursor(event, map, cursor, onCursor)}
      onBlur={() => onCursor(null)}
      onPointerMove={(event) => {
        const left = event.currentTarget.getBoundingClientRect().left;
        onCursor(columnAt({ map, width: size.width }, event.clientX - left));
      }}
      onPointerLeave={() => onCursor(null)}
    >
      <canvas ref={canvas} className={styles.canvas} />
    </div>
  );
}

function useSize(holder: { readonly current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = holder.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [holder]);
  return size;
}

function moveCursor(
  event: KeyboardEvent,
  { columns }: Heatmap,
  cursor: number | null,
  onCursor: (column: number) => void,
): void {
  const last = columns.length - 1;
  const from = cursor ?? last + 1;
  const target = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
  if (target === undefined || last < 0) return;
  event.preventDefault();
  onCursor(Math.min(last, Math.max(0, target)));
}
