/**
 * Keys of callers: kept as SHA-256 digests, compared in constant time.
 *
 * A slow password hash would add nothing: keys are random, not chosen by people.
 * Must not know: where keys are configured, what they open.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const GENERATED_BYTES = 24;
const DIGEST_BYTES = 32;

/** SHA-256 of a key. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A new random key of 192 bits. */
export function generateKey(): string {
  return randomBytes(GENERATED_BYTES).toString('base64url');
}

/**
 * A check of presented keys against the digests `keyHashes` (hexadecimal): gives the digest of a key that is let in.
 * Every digest is compared with every presented key, a missing one included, so that the time taken says nothing.
 */
export function createKeyCheck(
  keyHashes: readonly string[],
): (presented: string | undefined) => string | undefined {
  const known = keyHashes.map(hash => Buffer.from(hash, 'hex'));
  if (known.some(digest => digest.length !== DIGEST_BYTES))
    throw new RangeError('A key digest has 32 bytes.');
  return presented => {
    const digest = hashKey(presented ?? '');
    let matches = 0;
    for (const each of known) matches += Number(timingSafeEqual(each, digest));
    return matches > 0 && presented !== undefined ? digest.toString('hex') : undefined;
  };
}
