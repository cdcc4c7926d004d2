import { expect, it } from 'vitest';
import { testSteps } from '../../scripts/test-steps.mjs';
import { TestServers } from './test-servers.mjs';

const steps = testSteps([], new TestServers());

it.each(steps)('$name waits only for steps that stand before it', ({ name, needs, after = [] }) => {
  const before = steps
    .slice(
      0,
      steps.findIndex((step) => step.name === name),
    )
    .map((step) => step.name);
  expect(before).toEqual(expect.arrayContaining([...needs, ...after]));
});

it.each(['unit', 'crash', 'browser'])('%s waits for the servers that it is told of', (name) => {
  expect(steps.find((step) => step.name === name)?.after).toContain('servers');
});

it('what is installed for some unit tests alone is there before them', () => {
  expect(steps.find(({ name }) => name === 'unit')?.after).toContain('prisma');
});
