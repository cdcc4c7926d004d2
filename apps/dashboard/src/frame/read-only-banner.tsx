import { useQuery } from '@tanstack/react-query';
import { useReadOnly } from '../api/meta.js';
import { overviewQuery } from '../api/overview.js';
import { Banner } from '../components/banner.js';
import { VisibleText } from '../components/visible-text.js';
import { formatClock } from '../format/time.js';
import { CALM_REFRESH_MS, useRefresh } from '../live/refresh.js';
import { frameText } from './frame-text.js';

/** Over a store that only shows jobs: why, and of which moment they are. */
export function ReadOnlyBanner() {
  const readOnly = useReadOnly();
  const asOfMs = useQuery(overviewQuery(useRefresh(CALM_REFRESH_MS))).data?.health.asOfMs;
  if (readOnly === undefined) return null;
  const title = asOfMs === undefined ? frameText.readOnly : frameText.readOnlyAsOf(formatClock(asOfMs));
  return (
    <Banner tone="caution" title={title}>
      <VisibleText text={readOnly.because} lines />
    </Banner>
  );
}
