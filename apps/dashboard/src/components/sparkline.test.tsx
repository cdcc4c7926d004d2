import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Sparkline } from './sparkline.js';

afterEach(cleanup);

/** What is drawn with at least two points: of one point alone browsers draw nothing. */
function drawn(values: readonly number[], slots?: number): string[] {
  const { container } = render(
    <Sparkline
      width={100}
      height={20}
      label="a line"
      series={[{ tone: 'accent', values }]}
      {...(slots === undefined ? {} : { slots })}
    />,
  );
  const points = [...container.querySelectorAll('polyline')].map((line) => line.getAttribute('points') ?? '');
  return points.filter((text) => text.split(' ').length > 1 && !text.startsWith(' '));
}

it('shows a first value as a dot at the right, whether or not it has places', () => {
  expect(drawn([3])).toEqual(['99.0,1.5 99.0,1.5']);
  expect(drawn([3], 10)).toEqual(['99.0,1.5 99.0,1.5']);
});

it('shows several values as a line, and where it stands now where it has places', () => {
  expect(drawn([0, 2])).toEqual(['1.0,18.5 99.0,1.5']);
  expect(drawn([0, 2], 3)).toEqual(['50.0,18.5 99.0,1.5', '99.0,1.5 99.0,1.5']);
});

it('shows nothing of no values', () => {
  expect(drawn([])).toEqual([]);
  expect(drawn([], 10)).toEqual([]);
});
