/** What a file of keys may hold: what cannot be read again is never written. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey, rotateKey } from '#src/cli/keys.js';
import { KeyFileError, type NewKey, readKeyFile, writeKeyFile } from '#src/server/keys/key-file.js';

const NOW = new Date('2026-06-15T12:34:56Z');
const desk: NewKey = { name: 'desk', scopes: ['operate'] };

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-file-'));
  file = join(folder, 'keys.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The message of the KeyFileError that `work` throws. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(KeyFileError);
    return (error as KeyFileError).message;
  }
  throw new Error('nothing was refused');
}

const LONG = 'n'.repeat(65);

describe('A new key', () => {
  it.each<[Partial<NewKey>, string]>([
    [{ concurrent: 1.5 }, 'keys.1.concurrent must be a whole number from 1 to 9007199254740991, not 1.5'],
    [{ concurrent: -1.5 }, 'keys.1.concurrent must be a whole number from 1 to 9007199254740991, not -1.5'],
    [{ workPerMinute: 0 }, 'keys.1.work_per_minute must be a number above 0, not 0'],
    [{ name: LONG }, `keys.1.name must be text of 1 to 64 characters, not "${LONG}"`],
    [{ name: '' }, 'keys.1.name must be text of 1 to 64 characters, not ""'],
  ])('with %j is refused with member, bound and value, and the file does not change', (fault, message) => {
    createKey(file, { ...desk, name: 'first' }, NOW);
    const before = readFileSync(file, 'utf8');
    expect(refusal(() => createKey(file, { ...desk, ...fault }, NOW))).toBe(
      `${file} is not written: ${message}`,
    );
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(folder)).toEqual(['keys.json', 'keys.json.history']);
  });

  it.each([10_000_000, 1e12, 1e300])('of %d days is refused, and no file is made', days => {
    expect(refusal(() => createKey(file, { ...desk, days }, NOW))).toBe(
      `expires must be before the year 10000, not ${days} days from now`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('may expire on the last day of the year 9999', () => {
    const days = (Date.parse('9999-12-31T12:34:56Z') - NOW.getTime()) / 86_400_000;
    createKey(file, { ...desk, days }, NOW);
    expect(readKeyFile(file)[0].expires).toBe('9999-12-31T12:34:56.000Z');
    expect(refusal(() => createKey(file, { ...desk, name: 'next', days: days + 1 }, NOW))).toMatch(
      /year 10000/,
    );
  });

  it('at the bounds of its members can be read again', () => {
    const bounds = { name: 'n'.repeat(64), workPerMinute: 1e-9, concurrent: Number.MAX_SAFE_INTEGER };
    createKey(file, { ...desk, ...bounds }, NOW);
    expect(readKeyFile(file)).toMatchObject([
      { name: bounds.name, work_per_minute: 1e-9, concurrent: bounds.concurrent },
    ]);
  });

  it('is refused where it would expire after the year 9999 like its predecessor', () => {
    createKey(file, { ...desk, days: 2_900_000 }, NOW);
    const before = readFileSync(file, 'utf8');
    const later = new Date('2100-01-01T00:00:00Z');
    expect(refusal(() => rotateKey(file, 'desk', 24, later))).toMatch(
      /keys\.1\.expires must be a time .+ before the year 10000, not "\+010/,
    );
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

describe('A file that cannot be written', () => {
  it('is reported in one line where its folder does not exist', () => {
    const missing = join(folder, 'missing', 'keys.json');
    expect(refusal(() => createKey(missing, desk, NOW))).toBe(`${missing} cannot be written (ENOENT)`);
  });

  it('is reported in one line where its folder is a file', () => {
    createKey(file, desk, NOW);
    const below = join(file, 'keys.json');
    expect(refusal(() => createKey(below, desk, NOW))).toBe(`${below} cannot be written (ENOTDIR)`);
  });

  it('is reported in one line where it is a folder, and leaves no other file', () => {
    mkdirSync(file);
    expect(refusal(() => createKey(file, desk, NOW))).toBe(`${file} cannot be read (EISDIR)`);
    expect(refusal(() => writeKeyFile(file, []))).toMatch(/cannot be written \((EISDIR|ENOTEMPTY|EEXIST)\)$/);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });
});
