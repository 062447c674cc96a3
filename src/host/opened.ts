export interface Closable {
  close(): Promise<void>;
}

/** Closes parts one after another, the last one opened first, also after a failure. @returns the failures */
export async function closeInTurn(parts: readonly Closable[]): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const part of parts.toReversed()) await part.close().catch(error => failures.push(error));
  return failures;
}
