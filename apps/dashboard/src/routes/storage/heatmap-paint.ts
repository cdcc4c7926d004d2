import { percentile } from '../../format/histogram.js';
import { formatMinute } from '../../format/time.js';
import type { ChartColours } from './chart-colours.js';
import type { Heatmap } from './heatmap.js';

const LEFT = 62;
const BOTTOM = 22;
const TOP = 6;
const TICKS = 6;

export interface HeatmapPicture {
  readonly map: Heatmap;
  readonly colours: ChartColours;
  readonly width: number;
  readonly height: number;
  readonly format: (value: number) => string;
  readonly cursor: number | null;
}

/** Cells by count, hatching where nothing happened, and lines for p50 and p99. */
export function paintHeatmap(context: CanvasRenderingContext2D, picture: HeatmapPicture): void {
  const { width, height } = picture;
  context.clearRect(0, 0, width, height);
  context.font = picture.colours.font;
  paintAxes(context, picture);
  paintCells(context, picture);
  paintLine(context, picture, 50, picture.colours.text, 1.5);
  paintLine(context, picture, 99, picture.colours.caution, 1.5);
  paintCursor(context, picture);
}

/** Which column lies under a place of the picture. */
export function columnAt({ map, width }: Pick<HeatmapPicture, 'map' | 'width'>, x: number): number | null {
  const index = Math.floor(((x - LEFT) / (width - LEFT)) * map.columns.length);
  return index >= 0 && index < map.columns.length ? index : null;
}

function columnWidth({ map, width }: HeatmapPicture): number {
  return (width - LEFT) / Math.max(1, map.columns.length);
}

function rowHeight({ map, height }: HeatmapPicture): number {
  return (height - TOP - BOTTOM) / Math.max(1, map.edges.length - 1);
}

function yOf(picture: HeatmapPicture, value: number): number {
  const { map, height } = picture;
  const first = Math.log2(map.edges[0] ?? 1);
  const last = Math.log2(map.edges.at(-1) ?? 2);
  const share = (Math.log2(Math.max(1, value)) - first) / (last - first);
  return height - BOTTOM - Math.min(1, Math.max(0, share)) * (height - TOP - BOTTOM);
}

function paintCells(context: CanvasRenderingContext2D, picture: HeatmapPicture): void {
  const { map, colours, height } = picture;
  const cellWidth = columnWidth(picture);
  const cellHeight = rowHeight(picture);
  for (const [index, { counts, histogram }] of map.columns.entries()) {
    const x = LEFT + index * cellWidth;
    if (histogram === undefined) hatch(context, colours.grid, x, TOP, cellWidth, height - TOP - BOTTOM);
    for (const [row, count] of counts.entries()) {
      if (count === 0) continue;
      context.globalAlpha = 0.14 + 0.86 * (Math.log1p(count) / Math.log1p(map.countMax));
      context.fillStyle = colours.accent;
      const gap = cellWidth > 3 ? 1 : 0;
      context.fillRect(x, height - BOTTOM - (row + 1) * cellHeight, cellWidth - gap, cellHeight - 1);
    }
    context.globalAlpha = 1;
  }
}

function hatch(
  context: CanvasRenderingContext2D,
  colour: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  // Lines run through whole stretches: their phase counts from the left edge of the picture, not of the column.
  for (let from = x - height - ((x - height) % 7); from < x + width; from += 7) {
    context.moveTo(from, y + height);
    context.lineTo(from + height, y);
  }
  context.stroke();
  context.restore();
}

function paintLine(
  context: CanvasRenderingContext2D,
  picture: HeatmapPicture,
  wanted: number,
  colour: string,
  width: number,
): void {
  const cellWidth = columnWidth(picture);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineJoin = 'round';
  context.beginPath();
  let drawing = false;
  for (const [index, { histogram }] of picture.map.columns.entries()) {
    const value = histogram === undefined ? undefined : percentile(histogram, wanted);
    if (value === undefined) {
      drawing = false;
      continue;
    }
    const x = LEFT + (index + 0.5) * cellWidth;
    const y = yOf(picture, value);
    if (drawing) context.lineTo(x, y);
    else context.moveTo(x, y);
    drawing = true;
  }
  context.stroke();
}

function paintAxes(context: CanvasRenderingContext2D, picture: HeatmapPicture): void {
  const { map, colours, width, height, format } = picture;
  context.fillStyle = colours.text;
  context.strokeStyle = colours.grid;
  context.lineWidth = 1;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const value of powersOfTen(map.edges)) {
    const y = Math.round(yOf(picture, value)) + 0.5;
    context.fillText(format(value), LEFT - 8, y);
    context.beginPath();
    context.moveTo(LEFT, y);
    context.lineTo(width, y);
    context.stroke();
  }
  context.textAlign = 'center';
  context.textBaseline = 'top';
  const every = Math.max(1, Math.ceil(map.columns.length / TICKS));
  for (let index = Math.floor(every / 2); index < map.columns.length; index += every) {
    const x = LEFT + (index + 0.5) * columnWidth(picture);
    context.fillText(formatMinute(map.columns[index]?.atMs ?? 0), x, height - BOTTOM + 6);
  }
}

function powersOfTen(edges: readonly number[]): readonly number[] {
  const [first = 1] = edges;
  const last = edges.at(-1) ?? 1;
  const from = Math.ceil(Math.log10(first));
  return Array.from(
    { length: Math.max(0, Math.floor(Math.log10(last)) - from + 1) },
    (_, index) => 10 ** (from + index),
  );
}

function paintCursor(context: CanvasRenderingContext2D, picture: HeatmapPicture): void {
  const { cursor, colours, height } = picture;
  if (cursor === null) return;
  const cellWidth = columnWidth(picture);
  context.strokeStyle = colours.muted;
  context.lineWidth = 1;
  context.strokeRect(LEFT + cursor * cellWidth - 0.5, TOP - 0.5, Math.max(2, cellWidth), height - TOP - BOTTOM + 1);
}
