/**
 * Parts that are closed together, the last one opened first.
 *
 * Must not know: what they are.
 */

export interface Closable {
  close(): Promise<void>;
}

/** Closes every part in turn, those after a part that fails too. @returns what failed */
export async function closeInTurn(parts: readonly Closable[]): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const part of parts.toReversed()) await part.close().catch(error => failures.push(error));
  return failures;
}
