/** When a key of a file is let in. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKey } from '#src/cli/keys.js';
import { createLogger } from '#src/host/log.js';
import { readKeyFile } from '#src/server/keys/key-file.js';
import { openKeyRing } from '#src/server/keys/key-ring.js';

const CREATED = new Date('2026-06-15T12:34:56Z');

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-ring-'));
  file = join(folder, 'keys.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('A key is accepted before the millisecond of its expiry, and refused from then on', () => {
  const key = createKey(file, { name: 'desk', scopes: ['operate'], days: 3 }, CREATED);
  const expires = Date.parse(readKeyFile(file)[0].expires as string);
  expect(expires).toBe(CREATED.getTime() + 3 * 86_400_000);
  let now = expires - 1;
  const ring = openKeyRing({ hashes: [], file, log: createLogger('silent'), now: () => new Date(now) });
  try {
    expect(ring.check(key)).toMatchObject({ known: { name: 'desk' } });
    now = expires;
    expect(ring.check(key)).toEqual({ known: undefined, why: 'expired' });
    now = expires + 1;
    expect(ring.check(key)).toEqual({ known: undefined, why: 'expired' });
  } finally {
    ring.close();
  }
});
