import type { HistogramName } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { latencyQuery } from '../../api/latency.js';
import { serverClock } from '../../api/server-clock.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { Skeleton } from '../../components/skeleton.js';
import { Answered } from '../../frame/answered.js';
import { CALM_REFRESH_MS, useRefresh } from '../../live/refresh.js';
import chart from './chart-frame.module.css';
import { ColumnHistogram } from './column-histogram.js';
import { type Heatmap, heatmapOf } from './heatmap.js';
import styles from './heatmap.module.css';
import { HeatmapCanvas } from './heatmap-canvas.js';
import { HeatmapLegend } from './heatmap-legend.js';
import { HeatmapTable } from './heatmap-table.js';
import type { Span } from './spans.js';
import { storageText } from './storage-text.js';

interface HeatmapFrameProps {
  readonly title: ReactNode;
  readonly note: string;
  readonly measure: HistogramName;
  readonly span: Span;
  readonly format: (value: number) => string;
  /** A sentence for those who do not see the picture. */
  readonly summary: (map: Heatmap) => string;
}

/** How values are spread over time: what a percentile hides, two peaks or a long tail, stands out. */
export function HeatmapFrame(props: HeatmapFrameProps) {
  const { title, note, measure, span } = props;
  const [asTable, setAsTable] = useState(false);
  const titleId = useId();
  const fromMs = () => Math.floor(serverClock.now() - span.lengthMs);
  const latency = useQuery(latencyQuery(measure, span.stepMs, fromMs, useRefresh(CALM_REFRESH_MS)));
  return (
    <section className={chart.frame} aria-labelledby={titleId}>
      <header className={chart.header}>
        <h2 id={titleId}>{title}</h2>
        <Button look="quiet" size="small" onClick={() => setAsTable(!asTable)}>
          {asTable ? storageText.chart : storageText.table}
        </Button>
      </header>
      <p className={chart.note}>{note}</p>
      <Answered query={latency} loading={<Skeleton rows={7} label={storageText.loadingChart} />}>
        {({ points, serverTimeMs, stepMs }) =>
          points.length === 0 ? (
            <EmptyState title={storageText.empty} />
          ) : (
            <Measured {...props} points={points} stepMs={stepMs} toMs={serverTimeMs} asTable={asTable} />
          )
        }
      </Answered>
    </section>
  );
}

interface MeasuredProps extends HeatmapFrameProps {
  readonly points: Parameters<typeof heatmapOf>[0];
  readonly stepMs: number;
  readonly toMs: number;
  readonly asTable: boolean;
}

function Measured({ points, stepMs, toMs, span, asTable, format, summary }: MeasuredProps) {
  const [cursor, setCursor] = useState<number | null>(null);
  const map = useMemo(
    () => heatmapOf(points, stepMs, toMs - span.lengthMs, toMs),
    [points, stepMs, toMs, span.lengthMs],
  );
  if (asTable) return <HeatmapTable map={map} format={format} />;
  const shown = cursor ?? map.columns.findLastIndex((column) => column.histogram !== undefined);
  return (
    <>
      <HeatmapLegend map={map} at={shown} spoken={cursor !== null} format={format} />
      <div className={styles.beside}>
        <HeatmapCanvas
          map={map}
          format={format}
          label={`${summary(map)} ${storageText.keys}`}
          cursor={cursor}
          onCursor={setCursor}
        />
        <ColumnHistogram map={map} at={shown} format={format} />
      </div>
    </>
  );
}
