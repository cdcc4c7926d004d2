/** Names that need no quotes, so that the schema can stand in any text. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,40}$/;

/** What belongs to one of the databases itself. Nobody means it for a store, and who makes room for another one would drop it. */
const OF_DATABASE = /^(information_schema|mysql|performance_schema|sys|pg_.*)$/;

export function isOfDatabase(schema: string): boolean {
  return OF_DATABASE.test(schema);
}

export function isSchemaName(schema: unknown): schema is string {
  return typeof schema === 'string' && SCHEMA.test(schema);
}

/** Tables are written as `hf.job`. The schema was checked: nothing else is ever put into a text, all values are bound. */
export function inSchema(text: string, schema: string): string {
  return text.replace(/\bhf\./g, `${schema}.`);
}
