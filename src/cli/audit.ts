/** `audit`: the check of an audit file. Takes: its path. Gives: what an auditor may rely on, in sentences. */
import { type FoundChain, followChain } from '../server/audit/audit-chain.ts';
import { EXIT, type Output } from './output.ts';

/** Broken places that are named. */
const MOST_NAMED = 20;

/**
 * Checks the chain of a file of records.
 *
 * @param kept the digest of a line, kept elsewhere
 * @returns 0; 1 where the chain is broken, or has no such line; 2 for a file that cannot be read
 */
export async function checkAudit(path: string, kept: string | undefined, output: Output): Promise<number> {
  let found: FoundChain;
  try {
    found = await followChain(path, kept);
  } catch (error) {
    output.err(`${path}: ${(error as Error).message}\n`);
    return EXIT.notUnderstood;
  }
  const { lines, broken, last, hasWanted } = found;
  const faults = broken.slice(0, MOST_NAMED).map(place => `line ${place}: ${faultAt(place)}\n`);
  if (broken.length > MOST_NAMED) faults.push(`and ${broken.length - MOST_NAMED} more such lines\n`);
  if (kept !== undefined && !hasWanted)
    faults.push(`no line has the digest ${kept}: lines were cut off, or changed\n`);
  if (lines === 0) faults.push('there is no record\n');
  output.err(faults.join(''));
  output.out(`${lines} ${lines === 1 ? 'line' : 'lines'}, ${broken.length} broken; last ${last}\n`);
  return faults.length === 0 ? EXIT.done : EXIT.refused;
}

const faultAt = (place: number) =>
  place === 1
    ? 'this is not the first record: lines before it were removed, or it was changed'
    : `it does not follow on line ${place - 1}: that one was changed, lines between were removed, or this one is no record`;
