import { fireEvent, screen } from '@testing-library/react';

/** Failures stay until somebody dismisses them, also for the test that comes next. */
export function dismissToasts(): void {
  for (const button of screen.queryAllByRole('button', { name: 'Dismiss' })) fireEvent.click(button);
}
