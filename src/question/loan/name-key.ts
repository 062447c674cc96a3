/**
 * The name of a loan or of its borrower as the key of its answers (src/core/random/answers.ts): the core has no cryptography.
 */
import { createHash } from 'node:crypto';
import type { NameKey } from '../../core/random/answers.ts';

/** The first 64 bits of the SHA-256 of a name in UTF-8. */
export function nameKey(name: string): NameKey {
  const digest = createHash('sha256').update(name, 'utf8').digest();
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}
