import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { Toasts } from '../components/toasts.js';
import { TooltipProvider } from '../components/tooltip.js';
import { ActsProvider } from '../routes/acts/acts-provider.js';
import { RedriveProvider } from '../routes/redrive/redrive-request.js';
import { dismissToasts } from './dismiss-toasts.js';

/** Renders what stands inside the frame, at an address that the test can read. */
export function renderInPage(element: ReactElement, address = '/'): { readonly history: readonly string[] } {
  const location = memoryLocation({ path: address, record: true });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <Router hook={location.hook} searchHook={location.searchHook}>
          <ActsProvider>
            <RedriveProvider>{element}</RedriveProvider>
          </ActsProvider>
          <Toasts label="Results" dismissLabel="Dismiss" />
        </Router>
      </TooltipProvider>
    </QueryClientProvider>,
  );
  // What an earlier test, or one of another file, has told: failures stay until somebody dismisses them.
  dismissToasts();
  return { history: location.history };
}
