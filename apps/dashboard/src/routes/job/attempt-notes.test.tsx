import type { Attempt } from '@holdfast/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { AttemptNotes, shareOf } from './attempt-notes.js';

const ATTEMPT: Attempt = { attempt: 1, worker: 'host:1/imports', startedAtMs: 1_700_000_000_000, outcome: 'running' };

function shown(notes: Partial<Attempt>): string {
  return renderToStaticMarkup(<AttemptNotes attempt={{ ...ATTEMPT, ...notes }} open />);
}

describe('what a handler told', () => {
  it('is nothing where it told nothing', () => {
    expect(shown({})).toBe('');
  });

  it('is a bar and a percentage for a share, and the JSON itself for all else', () => {
    expect(shown({ progress: '0.425' })).toMatch(/role="progressbar".*42.?%/s);
    const other = shown({ progress: '{"row":12}' });
    expect(other).not.toContain('progressbar');
    expect(other).toContain('{&quot;row&quot;:12}');
  });

  it('is its lines as text, with how many came before them', () => {
    const html = shown({ lines: [{ atMs: 1_700_000_000_000, text: '<b>half\u202e</b>' }], droppedLines: 7 });
    expect(html).toContain('7');
    expect(html).not.toContain('<b>');
    expect(html).toContain('u202e');
  });
});

describe('a share', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['0.5', 0.5],
    ['1e-7', 1e-7],
    ['1.5', undefined],
    ['-0.5', undefined],
    ['"0.5"', undefined],
    ['null', undefined],
    ['2', undefined],
  ])('of %s is %s', (json, share) => {
    expect(shareOf(json)).toBe(share);
  });
});
