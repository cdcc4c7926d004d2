import { InvalidArgumentError, InvalidPayloadError, type PayloadIssue } from '@holdfast/contract';
import { checkKeys } from '@holdfast/contract/rules';
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** Schemas by job name, of any library that speaks Standard Schema, for what `enqueue` takes. */
export type InputSchemas<Jobs extends object> = {
  readonly [Name in keyof Jobs]?: StandardSchemaV1<Jobs[Name], unknown>;
};

/** The same, for what handlers get. */
export type OutputSchemas<Jobs extends object> = {
  readonly [Name in keyof Jobs]?: StandardSchemaV1<unknown, Jobs[Name]>;
};

/** What `enqueue` takes, by job name, for a queue with these schemas: `Queue<InputsOf<typeof schemas>>`. */
export type InputsOf<Schemas extends Readonly<Record<string, StandardSchemaV1>>> = {
  [Name in keyof Schemas]: StandardSchemaV1.InferInput<Schemas[Name]>;
};

/** What handlers get of a queue with these schemas: `Job<OutputsOf<typeof schemas>['send']>`. */
export type OutputsOf<Schemas extends Readonly<Record<string, StandardSchemaV1>>> = {
  [Name in keyof Schemas]: StandardSchemaV1.InferOutput<Schemas[Name]>;
};

export type AnySchema = StandardSchemaV1;

/** Of which only the names are known. */
export type AnySchemas = Readonly<Record<string, AnySchema | undefined>>;

/** Here, because otherwise the first payload would meet it, in words that do not lead to the mistake. @throws InvalidArgumentError */
export function checkSchemas(schemas: AnySchemas | undefined): void {
  if (schemas === undefined) return;
  checkKeys('schemas', schemas);
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema === undefined || typeof schema?.['~standard']?.validate === 'function') continue;
    const allowed = 'a schema of a library that speaks Standard Schema (zod, valibot, arktype and others)';
    throw new InvalidArgumentError(`schemas.${name}`, schema, allowed);
  }
}

export function schemaOf(schemas: AnySchemas | undefined, name: string): AnySchema | undefined {
  return schemas !== undefined && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
}

/**
 * What the schema makes of a payload; a promise only where the schema needs one.
 * @param path How errors name the value: `payload`, `jobs[3].payload`.
 * @throws InvalidPayloadError, or rejects with it; and whatever the schema throws.
 */
export function checkPayload(schema: AnySchema, name: string, value: unknown, path: string): unknown {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise) return result.then((late) => checkedValue(late, name, path));
  return checkedValue(result, name, path);
}

function checkedValue(result: StandardSchemaV1.Result<unknown>, name: string, path: string): unknown {
  if (result.issues === undefined) return result.value;
  throw new InvalidPayloadError(name, path, result.issues.map(toIssue));
}

function toIssue({ message, path = [] }: StandardSchemaV1.Issue): PayloadIssue {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step));
  return { path: keys.map(stepText).join(''), message };
}

function stepText(key: PropertyKey): string {
  return typeof key === 'number' ? `[${key}]` : `.${String(key)}`;
}
