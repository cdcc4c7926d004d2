import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, Route, Router, Switch } from 'wouter';
import { makeQueryClient } from './api/query-client.js';
import { PageHeader } from './components/page-header.js';
import { Skeleton } from './components/skeleton.js';
import { TooltipProvider } from './components/tooltip.js';
import { Frame } from './frame/frame.js';
import { frameText } from './frame/frame-text.js';
import { missingFile } from './frame/missing-file.js';
import { ResumedAnswers } from './live/resumed-answers.js';
import { StreamedAnswers } from './live/streamed-answers.js';
import { mountPath } from './mount.js';
import { ActivityPage } from './routes/activity/activity-page.js';
import { ActsProvider } from './routes/acts/acts-provider.js';
import { OperationCards } from './routes/bulk/operation-cards.js';
import { DeadPage } from './routes/dead/dead-page.js';
import { BesideJob } from './routes/job/beside-job.js';
import { JobsPage } from './routes/jobs/jobs-page.js';
import { LeasesPage } from './routes/leases/leases-page.js';
import { OverviewPage } from './routes/overview/overview-page.js';
import { CommandPalette } from './routes/palette/command-palette.js';
import { togglePalette } from './routes/palette/palette-open.js';
import { RedriveProvider } from './routes/redrive/redrive-request.js';
import { useSetting } from './settings/stored-setting.js';
import { timeZoneSetting } from './settings/time-zone.js';

// The only page with a chart library: nobody who looks at jobs has to load it.
const StoragePage = lazy(() => import('./routes/storage/storage-page.js').catch(missingFile));

export function App() {
  const [client] = useState(makeQueryClient);
  // Another zone writes every time anew; so all is drawn again, and nothing that was opened, selected or scrolled is lost.
  useSetting(timeZoneSetting);
  return (
    <QueryClientProvider client={client}>
      <StreamedAnswers />
      <ResumedAnswers />
      <TooltipProvider>
        <Router base={mountPath()}>
          <ActsProvider>
            <RedriveProvider>
              <Frame notices={<OperationCards />} palette={<CommandPalette />} onCommands={togglePalette}>
                <Pages />
              </Frame>
            </RedriveProvider>
          </ActsProvider>
        </Router>
      </TooltipProvider>
    </QueryClientProvider>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/">
        <OverviewPage />
      </Route>
      <Route path="/jobs">
        <BesideJob>
          <JobsPage />
        </BesideJob>
      </Route>
      <Route path="/dead">
        <BesideJob>
          <DeadPage />
        </BesideJob>
      </Route>
      <Route path="/leases">
        <BesideJob>
          <LeasesPage />
        </BesideJob>
      </Route>
      <Route path="/activity">
        <ActivityPage />
      </Route>
      <Route path="/storage">
        <Suspense fallback={<Skeleton rows={10} label={frameText.waiting} />}>
          <StoragePage />
        </Suspense>
      </Route>
      <Route>
        <PageHeader title={frameText.notFound} />
        <p>{frameText.notFoundNote}</p>
        <p>
          <Link href="/">{frameText.toOverview}</Link>
        </p>
      </Route>
    </Switch>
  );
}
