import type { MetaAnswer } from '@holdfast/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { metaQuery } from '../api/meta.js';
import { overviewQuery } from '../api/overview.js';
import { type ApiProblem, isRefusal } from '../api/problem.js';
import { Banner } from '../components/banner.js';
import { Toasts } from '../components/toasts.js';
import { VisibleText } from '../components/visible-text.js';
import { useShortcuts } from '../keyboard/shortcuts.js';
import { togglePause } from '../live/pause.js';
import { CALM_REFRESH_MS, useRefresh } from '../live/refresh.js';
import { ErrorBoundary } from './error-boundary.js';
import styles from './frame.module.css';
import { frameText } from './frame-text.js';
import { KeyboardHelp } from './keyboard-help.js';
import { PAGES } from './pages.js';
import { WholeProblem } from './problem-view.js';
import { Rail } from './rail.js';
import { ReadOnlyBanner } from './read-only-banner.js';
import { TopStrip } from './top-strip.js';

interface FrameProps {
  readonly children: ReactNode;
  /** What stands above the toasts. */
  readonly notices: ReactNode;
  /** Everything by its name, over every page. */
  readonly palette: ReactNode;
  readonly onCommands: () => void;
}

/** What surrounds every page: where to go, how fresh the figures are, and what concerns all pages at once. */
export function Frame({ children, notices, palette, onCommands }: FrameProps) {
  const [helpOpen, setHelpOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const meta = useQuery(metaQuery);
  const [location] = useLocation();
  useFrameShortcuts(() => setHelpOpen(true));
  usePageTitle(meta.data?.environment?.label);
  const refused = useRefusal(meta);
  return (
    <>
      <SkipLink onSkip={() => main.current?.focus()} />
      <div className={styles.frame}>
        <Rail />
        <div className={styles.column}>
          <TopStrip onHelp={() => setHelpOpen(true)} onCommands={onCommands} />
          <main ref={main} tabIndex={-1} className={styles.main}>
            {refused === undefined ? (
              <>
                <StoreHealthBanner />
                <ReadOnlyBanner />
                <ErrorBoundary page={location}>{children}</ErrorBoundary>
              </>
            ) : (
              <WholeProblem heading="h1" error={refused} onRetry={() => void meta.refetch()} />
            )}
          </main>
        </div>
      </div>
      {palette}
      <KeyboardHelp open={helpOpen} onClose={() => setHelpOpen(false)} />
      <Toasts label={frameText.results} dismissLabel={frameText.dismiss}>
        {notices}
      </Toasts>
    </>
  );
}

/** Stays while the server is asked again, although the query forgets it then: else every page would come back for a moment, to be refused for itself. */
function useRefusal({ isPending, error }: UseQueryResult<MetaAnswer, Error>): ApiProblem | undefined {
  const refusal = useRef<ApiProblem>(undefined);
  if (!isPending) refusal.current = isRefusal(error) ? error : undefined;
  return refusal.current;
}

function useFrameShortcuts(showHelp: () => void): void {
  const [, navigate] = useLocation();
  const goTo = Object.fromEntries(PAGES.map((page) => [`g ${page.key}`, () => navigate(page.path)]));
  useShortcuts({ ...goTo, '.': togglePause, '?': showHelp });
}

function usePageTitle(environment: string | undefined): void {
  const [location] = useLocation();
  const title = PAGES.find((page) => page.path === location)?.title ?? frameText.product;
  useEffect(() => {
    document.title = frameText.pageTitle(title, environment);
  }, [title, environment]);
}

/** Not a fragment link: under a `<base href>` that would lead to the first page. */
function SkipLink({ onSkip }: { readonly onSkip: () => void }) {
  return (
    <button type="button" className={styles.skip} onClick={onSkip}>
      {frameText.skip}
    </button>
  );
}

function StoreHealthBanner() {
  const health = useQuery(overviewQuery(useRefresh(CALM_REFRESH_MS))).data?.health;
  if (health === undefined || health.status === 'open') return null;
  return (
    <Banner tone={health.status === 'opening' ? 'caution' : 'danger'} title={frameText.storeHealth[health.status]}>
      {health.detail !== undefined && <VisibleText text={health.detail} lines />}
    </Banner>
  );
}
