import { fireEvent, screen } from '@testing-library/react';

/** Of a page that is rendered. */
export function dismissToasts(): void {
  for (const button of screen.queryAllByRole('button', { name: 'Dismiss' })) fireEvent.click(button);
}
