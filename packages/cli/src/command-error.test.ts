import { StoreFailedError, StoreOpenError } from '@holdfast/contract';
import { MoveInterruptedError } from '@holdfast/contract/moving';
import { describe, expect, it } from 'vitest';
import { toCommandError } from './command-error.js';

const nextStepOf = (thrown: unknown) => toCommandError(thrown)?.nextStep;
const driverError = (code: string) => ({ cause: Object.assign(new Error('of the driver'), { code }) });

describe('toCommandError', () => {
  it.each(['3D000', '28P01', '28000', 'ECONNREFUSED', 'ENOTFOUND', 'ER_BAD_DB_ERROR', 'ER_ACCESS_DENIED_ERROR'])(
    'asks to look at the URL where the database answers no: %s',
    (code) => {
      const step = 'Check the URL, or create the database.';
      expect(nextStepOf(new StoreFailedError('rejected', 'no', driverError(code)))).toBe(step);
      expect(nextStepOf(new StoreOpenError('db:5432/app', 'no', driverError(code)))).toBe(step);
    },
  );

  it('lets other failures of a store be tried again', () => {
    expect(nextStepOf(new StoreFailedError('unknown', 'lost', driverError('08006')))).toMatch(/^Run the command again/);
    expect(nextStepOf(new StoreOpenError('db:5432/app', 'no'))).toBe('Nothing was changed.');
  });

  it.each(['EADDRINUSE', 'EACCES'])('asks for another port where the system does not give the one: %s', (code) => {
    const refused = Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen' });
    expect(nextStepOf(refused)).toBe('Choose another port, or leave --port out.');
  });

  it('tells of a disk that fails a log that is made in its own words, not in those for an application', () => {
    const cause = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const told = toCommandError(new StoreFailedError('unknown', 'The log could not write.', { cause }));
    expect(told).toMatchObject({ exitCode: 3, message: cause.message });
    expect(told?.nextStep).toMatch(/^Make room/);
  });

  it('does not ask to look at the URL of a database that had answered', () => {
    const lost = toCommandError(new MoveInterruptedError('db:5432/app', 'It is gone.', driverError('ECONNREFUSED')));
    expect(lost).toMatchObject({ exitCode: 3, message: 'db:5432/app was lost while it was moved. It is gone.' });
    expect(lost?.nextStep).toMatch(/^Move again once it answers/);
  });
});
