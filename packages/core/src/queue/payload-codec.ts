import { InvalidArgumentError, type Payload } from '@holdfast/contract';

/** Turns values into what a store keeps, and back. Give a queue and its workers the same one. */
export interface PayloadCodec {
  /**
   * @param path How errors name the value: `payload`, `jobs[3].payload`, `result`.
   * @throws An error that names the path of the part that cannot be kept as it is.
   */
  encode(value: unknown, path: string): Payload;

  /** @throws If the payload is not one of this codec; the job is then dead, for no later attempt could read it. */
  decode(payload: Payload): unknown;
}

/** Here, because otherwise each call would meet it, and a worker with each job that it has claimed. @throws InvalidArgumentError */
export function checkCodec(codec: PayloadCodec): void {
  if (typeof codec?.encode === 'function' && typeof codec.decode === 'function') return;
  throw new InvalidArgumentError('codec', codec, 'an object with the methods encode and decode, such as richCodec');
}
