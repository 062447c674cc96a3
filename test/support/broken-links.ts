/** The chain of an audit file, checked as its reader would. */
import { createHash } from 'node:crypto';

const FIRST = '0'.repeat(64);
const hashOf = (line: string) => createHash('sha256').update(line).digest('hex');

/** The places of lines whose `previous` is not the digest of the line before, counted from 1. */
export function brokenLinks(text: string): readonly number[] {
  let previous = FIRST;
  return text.split(/(?<=\n)/).flatMap((line, at) => {
    const stated = previousOf(line);
    const holds = stated === previous;
    previous = hashOf(line);
    return holds ? [] : [at + 1];
  });
}

function previousOf(line: string): unknown {
  try {
    return (JSON.parse(line) as { previous?: unknown }).previous;
  } catch {
    return undefined;
  }
}
