import { StoreOpenError } from '@holdfast/contract';

/** @param names what stands in the place of tables of the store, and is none of them */
export function foreignTables(location: string, schema: string, names: readonly string[]): StoreOpenError {
  const problem = `its schema ${schema} has something of somebody else's by the names that the store uses: ${names.join(', ')}.`;
  return new StoreOpenError(
    location,
    `${problem} Give the store a schema of its own (option schema). Nothing was changed.`,
  );
}
