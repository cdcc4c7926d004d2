import { describe, expect, it } from 'vitest';
import { redactJson } from './redact-json.js';

const isSecret = (path: readonly string[]) => path.at(-1) === 'pass' || path.join('.') === 'list.1.x';

describe('JSON with secrets', () => {
  it.each([
    ['{"pass":"a"}', '{"pass":"[redacted]"}'],
    ['{ "pass" : {"a":[1,"}"]} , "b":1 }', '{ "pass" : "[redacted]" , "b":1 }'],
    ['{"a":{"pass":12.50}}', '{"a":{"pass":"[redacted]"}}'],
    ['{"list":[{"x":1},{"x":2,"y":3}]}', '{"list":[{"x":1},{"x":"[redacted]","y":3}]}'],
    ['{"p\\u0061ss":"a\\"b"}', '{"p\\u0061ss":"[redacted]"}'],
    ['{"pass":1,"pass":2}', '{"pass":"[redacted]","pass":"[redacted]"}'],
  ])('%s is shown as %s', (text, shown) => {
    expect(redactJson(text, isSecret)).toEqual({ text: shown, redacted: true });
  });

  it.each(['{}', '[]', ' 1970670598291982290 ', '{"a":[1e400,-0,{"b":"\\\\"}],"a":""}', '"pass"', 'null'])(
    'is left as it is without any: %s',
    (text) => {
      expect(redactJson(text, isSecret)).toEqual({ text, redacted: false });
    },
  );

  it('is told from what is no JSON', () => {
    for (const text of ['', 'pass', '{"pass":"a"', "{'pass':1}"]) expect(redactJson(text, isSecret)).toBeUndefined();
  });

  it('shows nothing that lies too deep, and always ends', () => {
    const deep = `${'{"a":'.repeat(5000)}{"pass":"x"}${'}'.repeat(5000)}`;
    const shown = redactJson(deep, isSecret);
    expect(shown?.text).not.toContain('pass');
    expect(shown?.redacted).toBe(true);
  });
});
