import { isObservable, lastValueFrom } from 'rxjs';

/**
 * What a handler returns, when it is there. As with what a route answers, an Observable to which nobody subscribes does nothing. One that
 * ends without a value has done its work and has no result, where Nest would call that an error.
 */
export async function lastValueOf(answer: unknown): Promise<unknown> {
  return isObservable(answer) ? lastValueFrom(answer, { defaultValue: undefined }) : answer;
}
