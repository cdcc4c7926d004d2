import { expect, it } from 'vitest';
import { comparisonTables } from './comparison-table.js';
import { someResults } from './some-results.js';

it('puts the Nodes side by side and names who is missing and what went wrong', () => {
  const text = comparisonTables([someResults('v20.20.2', 1000), someResults('v24.1.0', 2000)]);
  expect(text).toContain('Node v20.20.2, 2026-01-31, commit abc1234, 2 × Some CPU, 24 GiB, kernel 6.1, 5 rounds.');
  const rows = text.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
  expect(rows).toContain('| peer | on Node 20 | on Node 24 | after a power cut the disk has |');
  expect(rows).toContain('| Other | – | – | nothing |');
  expect(rows).toContain('| peer | jobs/s, Node 20 | log store | jobs/s, Node 24 | log store | also |');
  expect(rows).toContain('| Holdfast | 12,345 (11,000 – 13,000) | – | 12,345 (11,000 – 13,000) | – | 4.3 CPU µs/job |');
  expect(rows).toContain(
    '| Other | 1,000 (1,000 – 1,000) | × 12 (9.5 – 130) | 2,000 (2,000 – 2,000) | × 6.2 (9.5 – 130) | – |',
  );
  expect(rows).toContain('- Not measured on Node 24: beanstalkd. There is no beanstalkd.');
  expect(rows).toContain('- No figure on Node 20: Other, drain, round 2. Order 7 was handled 2 times, not 1.');
  expect(text).not.toContain('short run');
});

it('says so when a run was too short to judge by', () => {
  expect(comparisonTables([{ ...someResults('v20.1.0', 1000), scale: 0.02 }])).toContain('not to be judged by');
  expect(comparisonTables([{ ...someResults('v20.1.0', 1000), rounds: 1 }])).toContain('1 round.');
});

it('shows the workloads of all runs of a Node in one set of tables, below a line for each run', () => {
  const first = someResults('v20.1.0', 1000);
  const aside = {
    ...first,
    command: 'npm run bench:peers -- --only idle',
    workloads: [{ ...first.workloads[0]!, name: 'idle', title: 'idle' }],
  };
  const text = comparisonTables([first, aside]);
  expect(text.match(/^\*\*.+\*\*$/gm)).toEqual(['**Enqueue**', '**Idle**']);
  expect(text).toContain('- `npm run bench:peers`: Node v20.1.0');
  expect(text).toContain('- `npm run bench:peers -- --only idle`: Node v20.1.0');
  expect(text.match(/on Node 20 /g)).toHaveLength(1);
});
