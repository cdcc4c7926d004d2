/** A piece of SQL whose tables are written as `hf.job`; the schema of the store stands for `hf`. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Names that need no quotes, so that the schema can stand in any text. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,40}$/;

export function isSchemaName(schema: unknown): schema is string {
  return typeof schema === 'string' && SCHEMA.test(schema);
}

/** The schema was checked: nothing else is ever put into a text, all values are bound. */
export function inSchema(text: string, schema: string): string {
  return text.replace(/\bhf\./g, `${schema}.`);
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
