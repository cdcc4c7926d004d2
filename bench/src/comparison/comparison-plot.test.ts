import { expect, it } from 'vitest';
import { comparisonPlot } from './comparison-plot.js';
import { someResults } from './some-results.js';

const all = [someResults('v20.1.0', 1000), someResults('v24.1.0', 2000)];

it('draws a dot and a line for each queue and Node, inside the picture', () => {
  const svg = comparisonPlot(all);
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number);
  const dots = [...svg.matchAll(/<circle class="([^"]+)" cx="([\d.]+)" cy="([\d.]+)"/g)];
  expect(dots.map(([, name]) => name)).toEqual(['dot', 'dot later', 'dot', 'dot later']);
  for (const [, , x, y] of dots) {
    expect(Number(x)).toBeGreaterThan(0);
    expect(Number(x)).toBeLessThan(width! / 2);
    expect(Number(y)).toBeLessThan(height!);
  }
  // Twice as fast is the same way to the right wherever it is: the scale is logarithmic.
  const [, , slower, faster] = dots.map(([, , x]) => Number(x));
  expect(faster).toBeGreaterThan(slower!);
  expect([...svg.matchAll(/class="range"/g)]).toHaveLength(4);
  expect(svg).toContain('dots: Node 20, rings: Node 24');
});

it('follows the reader into the dark, and escapes what it writes', () => {
  const [first] = all;
  const entrants = first!.entrants.map((entrant) => ({ ...entrant, title: 'A & <B>' }));
  const svg = comparisonPlot([{ ...first!, entrants }]);
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).toContain('A &amp; &lt;B>');
});

it('leaves out what nobody measured', () => {
  const [first] = all;
  const idle = { name: 'idle', title: 'idle', compared: ['cpuMsPerSecond' as const], entrants: {} };
  expect(comparisonPlot([{ ...first!, workloads: [...first!.workloads, idle] }])).not.toContain('>idle<');
  expect(() => comparisonPlot([])).toThrow(RangeError);
});
