/** The chain of an audit file: each line has the digest of the line before, so that a changed or removed one shows. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** What the first line states in place of a digest. */
export const NO_LINE = '0'.repeat(64);

/** The digest of a line with its line end: SHA-256 in hexadecimal. */
export const digestOfLine = (line: string) => createHash('sha256').update(line).digest('hex');

/** What a reader of a chain finds. */
export interface FoundChain {
  readonly lines: number;
  /** Places, counted from 1, of lines that are no record, or whose `previous` is not the digest of the line before. */
  readonly broken: readonly number[];
  /** The digest of the last line; `NO_LINE` where there is none. */
  readonly last: string;
  /** Whether the wanted digest is that of a line. */
  readonly hasWanted: boolean;
}

/**
 * Follows the chain of a file.
 *
 * @param wanted the digest of a line, as it was kept elsewhere
 * @throws the error of the system
 */
export async function followChain(path: string, wanted?: string): Promise<FoundChain> {
  const broken: number[] = [];
  let [lines, last, hasWanted] = [0, NO_LINE, false];
  for await (const line of linesOf(path)) {
    lines += 1;
    if (previousOf(line) !== last) broken.push(lines);
    last = digestOfLine(line);
    hasWanted ||= last === wanted;
  }
  return { lines, broken, last, hasWanted };
}

/** The lines of a file with their ends. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of createReadStream(path, 'utf8')) {
    const parts = (rest + piece).split(/(?<=\n)/);
    rest = parts.at(-1)?.endsWith('\n') ? '' : (parts.pop() ?? '');
    yield* parts;
  }
  if (rest !== '') yield rest;
}

function previousOf(line: string): unknown {
  try {
    return (JSON.parse(line) as { previous?: unknown } | null)?.previous;
  } catch {
    return undefined;
  }
}
