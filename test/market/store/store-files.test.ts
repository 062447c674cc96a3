/** The files of a store in a folder and behind an address: their bytes, and why they cannot be read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  EMPTY_MANIFEST,
  type Manifest,
  manifestText,
  parseManifest,
  parsePointer,
  sha256,
} from '#src/market/store/manifest.js';
import { MarketStoreError, writeError } from '#src/market/store/store-error.js';
import { isAddress, storeFilesAt } from '#src/market/store/store-files.js';
import { temporaryFolder, writeFiles } from '../../support/market-files.ts';

const refusal = (read: Promise<unknown>): Promise<string> =>
  read.then(
    () => 'read',
    (error: unknown) => {
      expect(error).toBeInstanceOf(MarketStoreError);
      return (error as Error).message;
    },
  );
const BYTES = Uint8Array.of(0, 1, 2, 3, 4, 5);
const RANGES = [
  { start: 1, bytes: 2 },
  { start: 0, bytes: 0 },
  { start: 4, bytes: 2 },
];
const PARTS = [Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(4, 5)];

describe('The files of a folder', () => {
  it('are read whole and in parts, and not beyond their end', async () => {
    const folder = writeFiles(temporaryFolder(), { CURRENT: ['here'] });
    writeFileSync(join(folder, 'x'), BYTES);
    const files = storeFilesAt(folder);
    expect(files.place).toBe(folder);
    expect(await files.readPointer()).toBe('here\n');
    expect(new Uint8Array(await files.read('x'))).toEqual(BYTES);
    expect(await files.readRanges('x', RANGES)).toEqual(PARTS);
    expect(await refusal(files.readRanges('x', [{ start: 4, bytes: 3 }]))).toBe(
      `${folder}/x cannot be read: it ends before byte 7`,
    );
    expect(await refusal(files.read('y'))).toMatch(/\/y cannot be read: ENOENT/);
    expect(await refusal(files.readRanges('y', RANGES))).toMatch(/\/y cannot be read: ENOENT/);
  });

  it('have no pointer where there is no store, and a reason where it cannot be read', async () => {
    const folder = writeFiles(temporaryFolder(), { 'a/CURRENT/x': [], file: [] });
    expect(await storeFilesAt(join(folder, 'none')).readPointer()).toBeUndefined();
    expect(await refusal(storeFilesAt(join(folder, 'a')).readPointer())).toMatch(
      /CURRENT cannot be read: EISDIR/,
    );
    expect(await refusal(storeFilesAt(join(folder, 'file')).readPointer())).toMatch(
      /file is a file, and a market store is a folder\./,
    );
    expect(await refusal(storeFilesAt(join(folder, 'file/below')).readPointer())).toBe(
      `${folder}/file/below is not a market store.`,
    );
  });
});

describe('The files behind an address', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const asked: { url: string; headers: Record<string, string> }[] = [];
  function answer(respond: () => Response | Promise<Response>): void {
    asked.length = 0;
    vi.stubGlobal('fetch', async (url: URL, { headers }: { headers: Record<string, string> }) => {
      asked.push({ url: String(url), headers });
      const response = await respond();
      Object.defineProperty(response, 'url', { value: String(url) });
      return response;
    });
  }
  const files = storeFilesAt('http://me:p%40ss@host:8080/a/store?key=1');

  it('are asked for below it, with its query and credentials, which no message shows', async () => {
    expect(files.place).toBe('http://host:8080/a/store/');
    answer(() => new Response('here'));
    const limit = vi.spyOn(AbortSignal, 'timeout');
    expect(await files.readPointer()).toBe('here');
    expect(limit.mock.calls).toEqual([[30_000]]);
    limit.mockRestore();
    expect(asked).toEqual([
      {
        url: 'http://host:8080/a/store/CURRENT?key=1',
        headers: {
          'cache-control': 'no-cache',
          authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
        },
      },
    ]);
    await storeFilesAt('HTTPS://host/store/').readPointer();
    expect(asked[1]).toEqual({ url: 'https://host/store/CURRENT', headers: { 'cache-control': 'no-cache' } });
    expect(['http://a', 'HTTPS://a', 'ftp://a', '/http://a'].map(isAddress)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('are read whole and in parts, checked against their name', async () => {
    const name = `series/${sha256(BYTES)}.parquet`;
    answer(() => new Response(BYTES));
    expect(await files.read(name)).toEqual(BYTES);
    expect(await files.readRanges(name, RANGES)).toEqual(PARTS);
    expect(await refusal(files.readRanges(name, [{ start: 4, bytes: 3 }]))).toBe(
      `http://host:8080/a/store/${name} ends before byte 7.`,
    );
    expect(await refusal(files.read('series/x'))).toBe(
      'http://host:8080/a/store/series/x holds other bytes than its name says.',
    );
  });

  it('are absent with 404 for the pointer alone, and refused with another status', async () => {
    answer(() => new Response('', { status: 404 }));
    expect(await files.readPointer()).toBeUndefined();
    expect(await refusal(files.read('x'))).toBe('http://host:8080/a/store/x was answered with status 404.');
    answer(() => new Response('', { status: 503 }));
    expect(await refusal(files.readPointer())).toBe(
      'http://host:8080/a/store/CURRENT was answered with status 503.',
    );
  });

  it('are refused with the reason where the server is away or breaks off', async () => {
    answer(() => Promise.reject(new Error('failed', { cause: new Error('no route') })));
    expect(await refusal(files.read('x'))).toBe(
      'http://host:8080/a/store/x cannot be read: failed (no route)',
    );
    answer(() => Promise.reject(new Error('failed')));
    expect(await refusal(files.readPointer())).toBe(
      'http://host:8080/a/store/CURRENT cannot be read: failed',
    );
    answer(() => new Response(new ReadableStream({ pull: control => control.error(new Error('cut')) })));
    expect(await refusal(files.read('x'))).toBe('http://host:8080/a/store/x broke off: cut');
    expect(await refusal(files.readPointer())).toBe('http://host:8080/a/store/CURRENT broke off: cut');
  });
});

describe('The text of', () => {
  it('a pointer names a manifest by its hash', () => {
    const name = `manifests/${'0af'.padEnd(64, '9')}.json`;
    expect(parsePointer(JSON.stringify({ manifest: name }), 'P')).toBe(name);
    for (const text of [
      '{}',
      '{"manifest":5}',
      '{"manifest":"manifests/0af.json"}',
      `{"manifest":"../${name}"}`,
    ])
      expect(() => parsePointer(text, 'P'), text).toThrow('P is not the CURRENT file of a market store.');
    for (const text of ['', 'null', '5', '"x"', '{'])
      expect(() => parsePointer(text, 'P'), text).toThrow('P is not a file of a market store.');
  });

  it('a manifest of another program or format is refused', async () => {
    const { series: _, ...rest } = EMPTY_MANIFEST;
    for (const text of ['5', '"series":[\n', '"series":[\n\n]}\n', manifestText(EMPTY_MANIFEST).slice(1)])
      expect(() => parseManifest(text, 'M'), text).toThrow('M is not a file of a market store.');
    for (const value of [{ ...rest, format: 3, series: [] }, rest, { ...rest, series: {} }])
      expect(() => parseManifest(JSON.stringify(value), 'M')).toThrow(/^M is a market store of format/);
    expect(parseManifest(JSON.stringify(EMPTY_MANIFEST), 'M')).toEqual(EMPTY_MANIFEST);
  });

  it('a manifest names files in its store alone', async () => {
    const series = { file: `series/${'0af'.padEnd(64, '9')}.parquet` } as Manifest['series'][number];
    const manifest = { ...EMPTY_MANIFEST, series: [series] };
    for (const text of [manifestText(manifest), JSON.stringify(manifest)]) {
      expect(parseManifest(text, 'M')).toEqual(manifest);
      for (const file of [`../${series.file}`, `https://inner.example/${series.file}`, '/etc/passwd', ''])
        expect(() => parseManifest(text.replace(series.file, file), 'M'), file).toThrow(
          'M names a file of a series that is not in series/.',
        );
    }
  });

  it('an error of a full disk says so, another stays as it is', () => {
    const error = (code?: string) => Object.assign(new Error('x'), { code });
    for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG'])
      expect(writeError(error(code), 'F')).toMatchObject({
        name: 'MarketStoreError',
        message: `There is no space left to write to F (${code}). The store is as it was; free space and run the command again.`,
      });
    for (const other of [error('EACCES'), error()]) expect(writeError(other, 'F')).toBe(other);
  });
});
