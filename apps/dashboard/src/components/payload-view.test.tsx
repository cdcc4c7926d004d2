import type { PayloadText } from '@holdfast/contract';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { jobText } from '../routes/job/job-text.js';
import { PayloadView } from './payload-view.js';

afterEach(cleanup);

function show(payload: Partial<PayloadText>) {
  const whole: PayloadText = { encoding: 'text', text: '', bytes: 0, truncated: false, ...payload };
  render(<PayloadView title="Payload" size="" payload={whole} text={jobText.payloadView} />);
  return screen.getByRole('region', { name: 'Payload' });
}

it('shows literals as they were sent, and the text itself on demand', async () => {
  const text = '{"id":1970670598291982290,"huge":1e400,"zero":-0,"id":"twice"}';
  const region = show({ text });
  for (const literal of ['1970670598291982290', '1e400', '-0', '"twice"'])
    expect(region.textContent).toContain(literal);
  await userEvent.click(screen.getByRole('button', { name: 'Raw' }));
  expect(region.textContent).toBe(text);
});

it('keeps markup as text, and shows what would turn it around', () => {
  const region = show({ text: JSON.stringify({ '<b>': '</pre><script>alert(1)</script>\u202e' }) });
  expect(region.querySelector('script, b')).toBeNull();
  expect(region.textContent).toContain('\\u202e');
});

it('shows what is no JSON, truncated or binary as it is, and says so', () => {
  show({ text: 'hello', bytes: 5 });
  expect(screen.getByText('Not JSON: shown as it was sent.')).toBeDefined();
  cleanup();
  show({ text: '{"a":', bytes: 2_000_000, truncated: true });
  expect(screen.getByText('The first 5 B of 2 MB, as they were sent.')).toBeDefined();
  cleanup();
  show({ text: 'AAEC', bytes: 3, encoding: 'base64' });
  expect(screen.getByText('Not text: its bytes as base64.')).toBeDefined();
});

it('shows large arrays in steps', async () => {
  const region = show({ text: JSON.stringify(Array.from({ length: 250 }, (_, index) => `item-${index}`)) });
  expect(region.textContent).not.toContain('item-100');
  await userEvent.click(screen.getByRole('button', { name: 'Show more (150 hidden)' }));
  expect(region.textContent).toContain('item-199');
  await userEvent.click(screen.getByRole('button', { name: 'Fold' }));
  expect(region.textContent).toContain('250 items');
});

const ELEMENTS_MAX = 5_000;
const rows = (count: number, row: string) => `[${Array.from({ length: count }, () => row).join(',')}]`;

it.each([
  ['a list of lists', rows(100, rows(100, '1'))],
  ['a list of lists of lists', rows(40, rows(40, rows(15, '1')))],
  ['a list of objects', rows(1000, '{"sku":"a","price":1.10,"tags":["x","y"]}')],
  ['as deep as a tree goes', `${'['.repeat(100)}${']'.repeat(100)}`],
  ['deeper than a tree goes', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ['an object of many keys', `{${Array.from({ length: 4_000 }, (_, index) => `"key-${index}":${index}`).join(',')}}`],
  ['characters that are shown as escapes', 'a\u0001'.repeat(30_000)],
])('shows no more of a large payload at once than a page can take: %s', (_what, text) => {
  const region = show({ text });
  expect(region.querySelectorAll('*').length).toBeLessThan(ELEMENTS_MAX);
});

it('shows everything of a large payload on demand: what starts folded, and what hides', async () => {
  const region = show({ text: rows(100, rows(100, '1')) });
  const folded = screen.getAllByRole('button', { name: 'Unfold' });
  expect(folded).toHaveLength(96);
  await userEvent.click(folded[95]!);
  expect(screen.getAllByRole('button', { name: 'Unfold' })).toHaveLength(95);
  cleanup();
  expect(show({ text: 'a\u0001'.repeat(30_000) }).textContent).toBe('a\\u0001'.repeat(30_000));
  expect(region.isConnected).toBe(false);
});
