import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { EndText } from './end-text.js';

function textsOf(text: string): string {
  return renderToStaticMarkup(<EndText text={text} />).replace(/<[^>]+>/g, '|');
}

it('keeps the end of a long name apart from what may be cut', () => {
  expect(textsOf('ip-10-0-12-34.eu-central-1:4711/receipts')).toMatch(
    /\|ip-10-0-12-34\.eu-central\|+-1:4711\/receipts|:4711\/receipts\|/,
  );
  expect(textsOf('ip-10-0-12-34.eu-central-1:4711/receipts').replaceAll('|', '')).toBe(
    'ip-10-0-12-34.eu-central-1:4711/receipts',
  );
});

it('leaves a short name in one piece', () => {
  expect(textsOf('host:4711/receipts')).toBe('|host:4711/receipts|');
});

it('cuts no character in two, and shows those that deceive', () => {
  const emoji = '😀'.repeat(30);
  expect(textsOf(emoji).replaceAll('|', '')).toBe(emoji);
  expect(textsOf(`${'a'.repeat(30)}\u202e`)).toContain('\\u202e');
});
