/** Errors of a whole store, for its operator: at start or on the command line. */

/** A store that cannot be opened, read or written; the message has the remedy. */
export class MarketStoreError extends Error {
  override readonly name: string = 'MarketStoreError';
}

/** The error for a file in place of a store folder. */
export const fileForStore = (path: string, cause?: unknown): MarketStoreError =>
  new MarketStoreError(
    `${path} is a file, and a market store is a folder. A store of version 0.2 or older was one file: ` +
      'import the market data again into a folder.',
    { cause },
  );

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The error of a failed write: a message for a full disk, any other error unchanged. */
export function writeError(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !NO_SPACE.has(code)) return error;
  return new MarketStoreError(
    `There is no space left to write to ${folder} (${code}). The store is as it was; free space and run the command again.`,
    { cause: error },
  );
}
