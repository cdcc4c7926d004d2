import { type PipeTransform } from '@nestjs/common';
import { type z } from 'zod';
import { type FieldProblem, RefusedInputError } from './refused-input.error.js';

/** Lets a body through that fits the schema; refuses any other with the fields that do not fit, by name. */
export class ValidationPipe<Schema extends z.ZodType> implements PipeTransform<unknown, z.infer<Schema>> {
  readonly #schema: Schema;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  transform(value: unknown): z.infer<Schema> {
    const parsed = this.#schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new RefusedInputError(eachOnce(parsed.error.issues.map(toFieldProblem)));
  }
}

/** Several rules can refuse one field with the same words: no whole number, and too large. */
function eachOnce(problems: readonly FieldProblem[]): FieldProblem[] {
  return [...new Map(problems.map((found) => [`${found.field} ${found.problem}`, found])).values()];
}

function toFieldProblem(issue: z.core.$ZodIssue): FieldProblem {
  return { field: fieldName(issue.path), problem: issue.message };
}

/** ['items', 0, 'sku'] → "items[0].sku"; no path at all is the body itself. */
function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body';
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}
