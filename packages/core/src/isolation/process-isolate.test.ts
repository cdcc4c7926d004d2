import { expect, it, onTestFinished } from 'vitest';
import { inheritedArguments, processIsolates } from './process-isolate.js';

it('says why the system did not start it', async () => {
  const { execPath } = process;
  onTestFinished(() => {
    process.execPath = execPath;
  });
  process.execPath = '/nowhere/node';
  const isolate = processIsolates('file:///any.js')(() => {});
  isolate.post({ kind: 'end' });
  const end = await isolate.gone;
  expect(end).toMatchObject({ uncaught: { kind: 'error', error: { message: 'spawn /nowhere/node ENOENT' } } });
});

it('inherits no debugger, and no code to run in place of its own', () => {
  const given = [
    '--import',
    'tsx',
    '--inspect-brk=9229',
    '--input-type=module',
    '-e',
    'startWorker(…)',
    '--no-warnings',
  ];
  expect(inheritedArguments(given)).toEqual(['--import', 'tsx', '--no-warnings']);
});
