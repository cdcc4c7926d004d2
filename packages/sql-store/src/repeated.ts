import { callFailure, type DriverErrors } from './call-failure.js';

/** A call that the database undid is made again at once; more of it in a row is not chance. */
const REPEATS_MAX = 10;

/** Makes a call again for as long as the database asks for it. */
export async function repeated<Answer>(
  call: () => Promise<Answer>,
  location: string,
  errors: DriverErrors,
): Promise<Answer> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await call();
    } catch (error) {
      if (!errors.isRepeatable(error)) throw error;
      if (repeats >= REPEATS_MAX) throw callFailure(error, 'open', location, errors);
    }
  }
}
