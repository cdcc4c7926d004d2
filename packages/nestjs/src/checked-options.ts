import { InvalidArgumentError } from '@holdfast/contract';
import { checkKeys } from '@holdfast/contract/rules';

/** What an option may be: in words, and for a value. */
export interface OptionRule {
  readonly allowed: string;
  readonly fits: (value: unknown) => boolean;
}

export const FLAG: OptionRule = { allowed: 'true or false', fits: (value) => typeof value === 'boolean' };
export const FUNCTION: OptionRule = { allowed: 'a function', fits: (value) => typeof value === 'function' };
export const LIST: OptionRule = { allowed: 'a list', fits: Array.isArray };
export const TEXT: OptionRule = {
  allowed: 'a text that is not empty',
  fits: (value) => typeof value === 'string' && value !== '',
};
/** Where it is used, or by Nest. */
export const CHECKED_ELSEWHERE: OptionRule = { allowed: 'anything', fits: () => true };

/**
 * Types say all this where there are types: not in plain JavaScript, and not of an object that comes from elsewhere. A misspelt option would
 * be a default that nobody wanted.
 * @throws InvalidArgumentError naming the option and the place
 */
export function checkOptions(place: string, given: object, rules: Readonly<Record<string, OptionRule>>): void {
  checkKeys(place, given, Object.keys(rules));
  for (const [option, value] of Object.entries(given)) {
    const { allowed, fits } = rules[option]!;
    if (value !== undefined && !fits(value)) throw new InvalidArgumentError(`${option} of ${place}`, value, allowed);
  }
}
