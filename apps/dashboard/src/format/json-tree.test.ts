import { describe, expect, it } from 'vitest';
import { type JsonNode, readJson } from './json-tree.js';

/** Writes a tree back without spaces, with every literal as it was read. */
function write(node: JsonNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'object') return `{${node.entries.map(({ key, value }) => `${key}:${write(value)}`).join(',')}}`;
  return node.kind === 'array' ? `[${node.items.map(write).join(',')}]` : node.literal;
}

describe('readJson keeps what was written', () => {
  const texts = [
    ['integers beyond 2^53', '{"id":1970670598291982290}'],
    ['numbers beyond any double', '[1e400,-1e-400]'],
    ['minus zero and trailing zeros', '[-0,1.10,0.0,1E+2]'],
    ['duplicate keys, each with its value', '{"a":1,"a":2,"__proto__":3}'],
    ['escapes as escapes', '"\\u202e\\n\\/\\ud800"'],
    ['markup as text', '{"<script>":"</script><img src=x onerror=alert(1)>"}'],
    ['raw bidi characters', '"\u202emoc.evil"'],
    ['empty containers', '{"a":{},"b":[],"":""}'],
    ['a lone literal', 'null'],
  ] as const;

  it.each(texts)('%s', (_what, text) => {
    expect(write(readJson(text))).toBe(text);
  });

  it('spaces between tokens aside', () => {
    expect(write(readJson(' { "a" :\n[ 1 ,\t2 ] } \r\n'))).toBe('{"a":[1,2]}');
  });
});

describe('readJson refuses what JSON.parse refuses', () => {
  const texts = [
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "'a'",
    '01',
    '1.',
    '+1',
    '.5',
    'NaN',
    'tru',
    '"a',
    '"\n"',
    '"\\x"',
    '[1 2]',
    '{"a" 1}',
    '1 2',
    '{"a":1}}',
    ']',
  ];

  it.each(texts)('%j', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(readJson(text)).toBeUndefined();
  });
});

it('gives up on nesting that nobody would read, without running out of stack', () => {
  expect(readJson('['.repeat(100_000))).toBeUndefined();
  expect(readJson(`${'['.repeat(90)}${']'.repeat(90)}`)).toBeDefined();
});

it('reads a string of megabytes', () => {
  const text = JSON.stringify('x\n'.repeat(2_000_000));
  expect(readJson(text)).toEqual({ kind: 'string', literal: text });
});
