import { type Type } from '@nestjs/common';
import { type StandardSchemaV1 } from '@standard-schema/spec';

/** As class-validator understands them. */
export interface ClassSchemaOptions {
  /** Properties without a decorator are dropped. */
  readonly whitelist?: boolean;
  /** With `whitelist`: they are refused instead. */
  readonly forbidNonWhitelisted?: boolean;
  readonly groups?: string[];
}

/**
 * A schema for a queue from a class with decorators of class-validator and class-transformer, as `ValidationPipe` takes them:
 * handlers get an instance of the class. Both libraries have to be installed; they are loaded with the first payload.
 */
export function classSchema<Made extends object>(
  type: Type<Made>,
  options: ClassSchemaOptions = {},
): StandardSchemaV1<Made, Made> {
  return {
    '~standard': { version: 1, vendor: 'class-validator', validate: (value) => validated(type, options, value) },
  };
}

async function validated<Made extends object>(
  type: Type<Made>,
  options: ClassSchemaOptions,
  value: unknown,
): Promise<StandardSchemaV1.Result<Made>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { issues: [{ message: `must be an object of ${type.name}` }] };
  }
  const [{ plainToInstance }, { validate }] = await Promise.all([
    import('class-transformer'),
    import('class-validator'),
  ]);
  const instance = plainToInstance(type, value);
  const errors = await validate(instance, { ...options, forbidUnknownValues: true });
  return errors.length === 0 ? { value: instance } : { issues: errors.flatMap((error) => issuesOf(error, [])) };
}

/** What class-validator says of one property and of those inside it. */
interface PropertyError {
  readonly property?: string;
  readonly constraints?: Readonly<Record<string, string>>;
  readonly children?: readonly PropertyError[];
}

function issuesOf(
  { property, constraints = {}, children = [] }: PropertyError,
  within: PropertyKey[],
): StandardSchemaV1.Issue[] {
  const path = property === undefined ? within : [...within, /^\d+$/.test(property) ? Number(property) : property];
  const own = Object.values(constraints).map((message) => ({ message, path }));
  return [...own, ...children.flatMap((child) => issuesOf(child, path))];
}
