/** Documents that have tables of figures. */
export const PERFORMANCE_DOCUMENTS: readonly string[];
/**
 * The text of a document with every table of figures written anew.
 * @throws Error for a table or a report that there is not
 */
export function withTables(text: string, readReport?: (name: string) => object): string;
