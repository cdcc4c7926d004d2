import { HoldfastError } from '@holdfast/contract';

/** The thread or process of a handler ended before the handler did. The attempt has failed; other jobs are not touched. */
export class IsolateEndedError extends HoldfastError {
  readonly isolation: 'thread' | 'process';
  readonly exitCode: number | undefined;
  /** Present where a signal ended the process. */
  readonly signal: string | undefined;

  constructor(
    isolation: 'thread' | 'process',
    how: { readonly exitCode?: number | undefined; readonly signal?: string | undefined; readonly cause?: unknown },
  ) {
    const { exitCode, signal, cause } = how;
    const end = signal === undefined ? `with exit code ${exitCode}` : `by the signal ${signal}`;
    super(
      'HANDLER_ENDED',
      'rejected',
      `The ${isolation} of the handler ended ${end} before the handler did. The job is tried again as after any other ` +
        'failure; look for process.exit, an error that nobody caught, or too little memory.',
      cause === undefined ? undefined : { cause },
    );
    this.isolation = isolation;
    this.exitCode = exitCode;
    this.signal = signal;
  }
}
