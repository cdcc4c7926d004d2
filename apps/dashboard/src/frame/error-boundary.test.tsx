import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, Suspense } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.js';
import { missingFile } from './missing-file.js';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('loads the whole page where a part of it is gone, because asking for that part again never helps', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  const load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')).catch(missingFile);
  const Page = lazy(load);
  render(
    <ErrorBoundary page="/storage">
      <Suspense>
        <Page />
      </Suspense>
    </ErrorBoundary>,
  );
  await screen.findByText('A part of the dashboard could not be loaded');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(reload).toHaveBeenCalledOnce();
});
