import { inSchema } from '@holdfast/sql-store';

/** A piece of SQL whose tables are written as `hf.job`; the schema of the store stands for `hf`. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Texts by name, with the schema filled in. The name is that of the prepared statement. */
export function statementsIn<Name extends string>(
  texts: Readonly<Record<Name, string>>,
  schema: string,
): Readonly<Record<Name, Statement>> {
  const entries = Object.entries<string>(texts).map(([name, text]) => [
    name,
    { name: `${schema}.${name}`, text: inSchema(text, schema) },
  ]);
  return Object.fromEntries(entries) as Record<Name, Statement>;
}
