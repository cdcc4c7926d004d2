/** Names that need no quotes, so that the schema can stand in any text. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,40}$/;

export function isSchemaName(schema: unknown): schema is string {
  return typeof schema === 'string' && SCHEMA.test(schema);
}

/** Tables are written as `hf.job`. The schema was checked: nothing else is ever put into a text, all values are bound. */
export function inSchema(text: string, schema: string): string {
  return text.replace(/\bhf\./g, `${schema}.`);
}
