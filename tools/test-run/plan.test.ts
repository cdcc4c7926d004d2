import { describe, expect, it, vi } from 'vitest';
import { chooseSteps, runSteps, type Step } from './plan.mjs';

function step(name: string, needs: readonly string[], outcome: boolean | Error): Step {
  return {
    name,
    needs,
    run: async () => {
      if (outcome instanceof Error) throw outcome;
      return { passed: outcome };
    },
  };
}

describe('runSteps', () => {
  const statuses = async (steps: readonly Step[]) =>
    (await runSteps(steps, () => 0)).map(({ name, status, note }) =>
      [name, status, note].filter((part) => part).join(': '),
    );

  it('goes on behind a failure with every step that does not need it', async () => {
    expect(await statuses([step('build', [], true), step('lint', [], false), step('unit', ['build'], true)])).toEqual([
      'build: passed',
      'lint: failed',
      'unit: passed',
    ]);
  });

  it('names the first cause for each step that could not run, however far behind it stands', async () => {
    expect(
      await statuses([step('install', [], false), step('build', ['install'], true), step('unit', ['build'], true)]),
    ).toEqual(['install: failed', 'build: not run: install failed', 'unit: not run: install failed']);
  });

  it('takes an error for a failure and keeps its message', async () => {
    expect(await statuses([step('browser', [], new Error('no Chromium')), step('lint', [], true)])).toEqual([
      'browser: failed: no Chromium',
      'lint: passed',
    ]);
  });

  it('runs a step whose need was not asked for', async () => {
    expect(await statuses([step('unit', ['build'], true)])).toEqual(['unit: passed']);
  });

  describe('with a step beside others', () => {
    /** Steps that say when they begin and end; the first ends when it is told to. */
    function besideOthers() {
      const said: string[] = [];
      let end = (_outcome: { passed: boolean }) => {};
      const slow: Step = {
        name: 'slow',
        needs: [],
        isBeside: true,
        run: () => {
          said.push('slow begins');
          return new Promise((resolve) => {
            end = (outcome) => {
              said.push('slow ends');
              resolve(outcome);
            };
          });
        },
      };
      const quick = (name: string, more: Partial<Step> = {}): Step => ({
        name,
        needs: [],
        run: async () => {
          said.push(name);
          return { passed: true };
        },
        ...more,
      });
      return { said, slow, quick, end: (outcome: { passed: boolean }) => end(outcome) };
    }

    it('does not wait for it, but does not end without it, and keeps the order of the results', async () => {
      const { said, slow, quick, end } = besideOthers();
      const last = quick('last', {
        run: async () => {
          end({ passed: true });
          return { passed: true };
        },
      });
      const results = await runSteps([slow, quick('quick'), last], () => 0);
      expect(said).toEqual(['slow begins', 'quick', 'slow ends']);
      expect(results.map(({ name }) => name)).toEqual(['slow', 'quick', 'last']);
    });

    it('tells a step whether others run meanwhile, which the last one has to itself', async () => {
      const told: boolean[] = [];
      const beside: Step = {
        name: 'beside',
        needs: [],
        isBeside: true,
        run: async ({ isBeside }) => {
          told.push(isBeside);
          return { passed: true };
        },
      };
      await runSteps([beside, besideOthers().quick('quick')], () => 0);
      await runSteps([beside], () => 0);
      expect(told).toEqual([true, false]);
    });

    it('waits for it where a step needs it, and leaves that one out when it failed', async () => {
      const { said, slow, quick, end } = besideOthers();
      const results = runSteps([slow, quick('quick'), quick('user', { needs: ['slow'] })], () => 0);
      await vi.waitFor(() => expect(said).toEqual(['slow begins', 'quick']));
      end({ passed: false });
      expect((await results).map(({ name, status }) => `${name}: ${status}`)).toEqual([
        'slow: failed',
        'quick: passed',
        'user: not run',
      ]);
      expect(said).toEqual(['slow begins', 'quick', 'slow ends']);
    });

    it('waits for it where a step comes after it, which runs however it ended', async () => {
      const { said, slow, quick, end } = besideOthers();
      const results = runSteps([slow, quick('quick'), quick('later', { after: ['slow'] })], () => 0);
      await vi.waitFor(() => expect(said).toEqual(['slow begins', 'quick']));
      end({ passed: false });
      expect((await results).map(({ status }) => status)).toEqual(['failed', 'passed', 'passed']);
      expect(said).toEqual(['slow begins', 'quick', 'slow ends', 'later']);
    });
  });

  it('measures each step', async () => {
    const readings = [1_000, 3_500];
    const [result] = await runSteps([step('build', [], true)], () => readings.shift() ?? 0);
    expect(result?.seconds).toBe(2.5);
  });
});

describe('chooseSteps', () => {
  const known = ['install', 'build', 'unit'];

  it('takes no words for all steps', () => {
    expect(chooseSteps([], known)).toEqual({ names: known, testArguments: [] });
  });

  it('hands on everything from the first word that names no step', () => {
    expect(chooseSteps(['build', 'unit', 'packages/core', '-t', 'unit'], known)).toEqual({
      names: ['build', 'unit'],
      testArguments: ['packages/core', '-t', 'unit'],
    });
  });
});
