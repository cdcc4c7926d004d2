import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { answerRequests } from '../../testing/answering.js';
import { dismissToasts } from '../../testing/dismiss-toasts.js';
import { renderInPage } from '../../testing/in-page.js';
import { useResumeNow } from './resume.js';

afterEach(() => {
  dismissToasts();
  cleanup();
  vi.unstubAllGlobals();
});

/** As the palette, which is gone before what was chosen is run. */
function ClosesAndResumes({ onChosen }: { readonly onChosen: () => void }) {
  const resume = useResumeNow();
  const choose = () => {
    onChosen();
    setTimeout(() => resume('mail'));
  };
  return (
    <button type="button" onClick={choose}>
      Resume mail
    </button>
  );
}

function Page() {
  const [open, setOpen] = useState(true);
  return open ? <ClosesAndResumes onChosen={() => setOpen(false)} /> : null;
}

it('says what resuming came to where it was asked for by the palette', async () => {
  answerRequests({ 'POST queues/resume': () => ({ status: 403, body: { detail: 'You only look.' } }) });
  renderInPage(<Page />);
  await userEvent.click(screen.getByRole('button', { name: 'Resume mail' }));
  await screen.findByText('You only look.');
  expect(screen.getByText('That could not be done')).toBeDefined();
});
