/** Digests of keys, and the entries of a file of keys. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyCheck, generateKey, hashKey } from '#src/server/keys/key-digest.js';
import {
  type KeyEntry,
  KeyFileError,
  newEntry,
  readKeyFile,
  writeKeyFile,
} from '#src/server/keys/key-file.js';
import { openKeyRing } from '#src/server/keys/key-ring.js';
import { collectLog } from '../../support/log-lines.ts';

const NOW = new Date('2026-06-15T12:34:56Z');
const hex = (key: string) => hashKey(key).toString('hex');
const entry = (key: string, change: Partial<KeyEntry> = {}): KeyEntry => ({
  ...newEntry(key, { name: key, scopes: ['operate'] }, NOW),
  ...change,
});

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
  file = join(folder, 'keys.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('A key', () => {
  it('is random, of 192 bits', () => {
    const keys = Array.from({ length: 50 }, generateKey);
    expect(new Set(keys).size).toBe(50);
    for (const key of keys) expect(Buffer.from(key, 'base64url')).toHaveLength(24);
  });

  it('is known by its digest, once or twice, and none is known without one', () => {
    expect(hex('a')).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb');
    const check = createKeyCheck([hex('a'), hex('b'), hex('b'), hex('')]);
    expect(['a', 'b', 'c', undefined].map(check)).toEqual([hex('a'), hex('b'), undefined, undefined]);
    expect(createKeyCheck([])('a')).toBeUndefined();
  });

  it.each([31, 33, 0])('with a digest of %d bytes is refused', bytes => {
    expect(() => createKeyCheck([hex('a'), 'ab'.repeat(bytes)])).toThrow(
      new RangeError('A key digest has 32 bytes.'),
    );
  });
});

describe('A file of keys', () => {
  it('has each key without the key itself, and only its owner may read it', () => {
    const keys = [
      newEntry(
        'a',
        { name: 'desk', scopes: ['operate', 'read'], days: 1.5, workPerMinute: 7, concurrent: 2 },
        NOW,
      ),
      entry('b'),
    ];
    writeKeyFile(file, keys);
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify({ version: 1, keys }, null, 2)}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(keys[0]).toEqual({
      ...{ id: hex('a').slice(0, 8), name: 'desk', sha256: hex('a'), scopes: ['operate', 'read'] },
      ...{ created: '2026-06-15T12:34:56.000Z', expires: '2026-06-17T00:34:56.000Z' },
      ...{ work_per_minute: 7, concurrent: 2 },
    });
    expect(Object.keys(keys[1])).toEqual(['id', 'name', 'sha256', 'scopes', 'created']);
    expect(readKeyFile(file)).toEqual(keys);
  });

  it.each<[string, string]>([
    ['{', 'is not JSON'],
    ['[]', 'is not a valid file of keys: the file: '],
    ['{"version":2,"keys":[]}', 'is not a valid file of keys: version: '],
    ['{"version":1,"keys":[{"id":"x"}],"more":1}', 'keys.0.id: '],
  ])('%s is refused with its faults', (text, message) => {
    writeFileSync(file, text);
    expect(() => readKeyFile(file)).toThrow(KeyFileError);
    expect(() => readKeyFile(file)).toThrow(message);
  });

  it.each<[Partial<KeyEntry>, boolean]>([
    [{ scopes: [] }, false],
    [{ scopes: ['admin'] }, true],
    [{ id: 'abcdef0' }, false],
    [{ id: 'abcdef01' }, true],
    [{ sha256: 'ab'.repeat(31) }, false],
    [{ concurrent: 1 }, true],
    [{ concurrent: 0 }, false],
    [{ work_per_minute: 1e-300 }, true],
    [{ work_per_minute: 0 }, false],
    [{ revoked: 'yesterday' }, false],
  ])('with %j is read: %s', (change, isRead) => {
    writeFileSync(file, JSON.stringify({ version: 1, keys: [entry('a', change)] }));
    if (isRead) expect(readKeyFile(file)).toHaveLength(1);
    else expect(() => readKeyFile(file)).toThrow(KeyFileError);
  });
});

describe('The keys of a server', () => {
  const opened = (hashes: readonly string[] = [hex('configured')]) => {
    const { log, lines } = collectLog();
    return { ring: openKeyRing({ hashes, file, log, now: () => NOW }), lines };
  };

  it('are those of the configuration and of the file, with their scopes and limits', () => {
    writeKeyFile(file, [
      entry('a', { work_per_minute: 7, concurrent: 2 }),
      entry('revoked', { revoked: NOW.toISOString() }),
      entry('old', { expires: NOW.toISOString() }),
    ]);
    const { ring } = opened();
    try {
      expect(ring.check('configured')).toEqual({
        known: {
          ...{
            digest: hex('configured'),
            account: hex('configured'),
            name: undefined,
            scopes: new Set(['operate', 'read']),
          },
          ...{ workPerMinute: undefined, concurrent: undefined },
        },
      });
      const a = {
        digest: hex('a'),
        account: hex('name a'),
        name: 'a',
        scopes: new Set(['operate']),
        workPerMinute: 7,
        concurrent: 2,
      };
      expect(ring.check('a')).toEqual({ known: a });
      expect(ring.find(hex('a'))).toEqual(a);
      const refused = (why: string) => ({ known: undefined, why });
      expect([undefined, 'none', 'revoked', 'old'].map(ring.check)).toEqual([
        refused('missing'),
        refused('unknown'),
        refused('unknown'),
        refused('expired'),
      ]);
      expect([hex('old'), hex('revoked'), hex('none')].map(ring.find)).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    } finally {
      ring.close();
    }
  });

  it('follow the file, and stay where it becomes faulty', () => {
    writeKeyFile(file, [entry('a')]);
    const { ring, lines } = opened();
    try {
      writeKeyFile(file, [entry('b'), entry('c')]);
      ring.reload();
      expect(['a', 'b'].map(key => ring.check(key).known !== undefined)).toEqual([false, true]);
      writeFileSync(file, '{');
      expect(ring.isFileInForce).toBe(true);
      ring.reload();
      expect([ring.check('b').known !== undefined, ring.isFileInForce]).toEqual([true, false]);
      rmSync(file);
      ring.reload();
      expect([ring.check('b').known !== undefined, ring.isFileInForce]).toEqual([true, false]);
      writeKeyFile(file, [entry('d')]);
      ring.reload();
      expect([ring.check('b').known !== undefined, ring.isFileInForce]).toEqual([false, true]);
      expect(lines).toEqual([
        expect.objectContaining({ keys: 2, msg: 'the file of keys was read' }),
        expect.objectContaining({
          reason: `${file} is not JSON`,
          msg: 'the file of keys is faulty; the keys stay as they were',
        }),
        expect.objectContaining({ reason: `${file} cannot be read (ENOENT)` }),
        expect.objectContaining({ keys: 1, msg: 'the file of keys was read' }),
      ]);
    } finally {
      ring.close();
    }
  });

  it('without a file are those of the configuration', () => {
    const { log, lines } = collectLog();
    const ring = openKeyRing({ hashes: [hex('a')], log });
    ring.reload();
    ring.close();
    expect([ring.check('a').known !== undefined, ring.isFileInForce, lines]).toEqual([true, undefined, []]);
  });

  it('of a faulty file are refused at the start', () => {
    writeFileSync(file, '{');
    expect(() => opened()).toThrow(`${file} is not JSON`);
  });
});
