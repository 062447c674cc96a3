/** The files of an import, and the faults of many. */
import { closeSync, ftruncateSync, openSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFiles } from '#src/market/import/find-files.js';
import { FaultList, ImportError, type ImportFault } from '#src/market/import/import-error.js';
import { temporaryFolder, writeFiles } from '../../support/market-files.ts';

/** The files found and those left aside, below `folder`. */
function found(folder: string, ...paths: string[]) {
  const { files, leftAside } = findFiles(paths.map(path => join(folder, path)));
  const below = (path: string) => path.slice(folder.length + 1);
  return { files: files.map(({ path }) => below(path)), leftAside: leftAside.map(below) };
}
function refusal(folder: string, ...paths: string[]): string {
  try {
    found(folder, ...paths);
    return 'found';
  } catch (error) {
    expect(error).toBeInstanceOf(ImportError);
    return (error as Error).message.replaceAll(folder, '');
  }
}

describe('A folder', () => {
  it('has all data files in and below it, in order of their names', () => {
    const names = ['b.csv', 'a/c.JSON', 'a/b.txt', 'c.parquet', 'README.md', 'a/x.py', 'B.csv'];
    const folder = writeFiles(temporaryFolder(), Object.fromEntries(names.map(name => [name, ['1']])));
    expect(found(folder, '')).toEqual({
      files: ['B.csv', 'a/b.txt', 'a/c.JSON', 'b.csv', 'c.parquet'],
      leftAside: ['README.md', 'a/x.py'],
    });
  });

  it('with folders of the layout has these alone', () => {
    const folder = writeFiles(temporaryFolder(), {
      'daily/a.csv': [],
      'dvol/b.csv': [],
      'other/c.csv': [],
      'd.csv': [],
      // A file with the name of such a folder is none.
      funding: [],
    });
    expect(found(folder, '')).toEqual({
      files: ['daily/a.csv', 'dvol/b.csv'],
      leftAside: ['d.csv', 'funding', 'other'],
    });
    expect(found(folder, 'other', 'd.csv')).toEqual({ files: ['other/c.csv', 'd.csv'], leftAside: [] });
  });

  it('or a file that is named twice is read once, by its real path and size', () => {
    const folder = writeFiles(temporaryFolder(), { 'a/b.csv': ['12345'] });
    symlinkSync('a', join(folder, 'link'));
    const { files } = findFiles([join(folder, 'a'), join(folder, 'link/b.csv'), join(folder, 'a/b.csv')]);
    expect(files).toEqual([
      { path: join(folder, 'a/b.csv'), realPath: realpathSync(join(folder, 'a/b.csv')), bytes: 6 },
    ]);
  });

  it('without data is refused, but not beside a path with data', () => {
    const folder = writeFiles(temporaryFolder(), { 'a/x.md': [], 'b/x.csv': [] });
    expect(refusal(folder, 'a')).toMatch(/^\/a: there is no market data\n/);
    expect(found(folder, 'a', 'b')).toEqual({ files: ['b/x.csv'], leftAside: ['a/x.md'] });
    expect(refusal(folder, 'a', 'c')).toBe('/c: there is no such file or folder\n  Check the path.');
  });
});

it('A file may have 512 MiB', () => {
  const folder = temporaryFolder();
  const sized = (name: string, bytes: number) => {
    const file = openSync(join(folder, name), 'w');
    // Of no content: it takes no room on the disk.
    ftruncateSync(file, bytes);
    closeSync(file);
  };
  sized('a.csv', 2 ** 29);
  expect(found(folder, '').files).toEqual(['a.csv']);
  sized('b.csv', 2 ** 29 + 1);
  expect(refusal(folder, '')).toMatch(
    /^\/b\.csv: the file has 536870913 bytes, and at most 536870912 are read\n/,
  );
});

describe('Faults', () => {
  const fault = (file: string, more: Partial<ImportFault> = {}): ImportFault => ({
    kind: 'time',
    file,
    count: 1,
    message: 'it is wrong',
    remedy: 'Correct it.',
    ...more,
  });

  it('state place, count and remedy', () => {
    const { message } = new ImportError([
      fault('a'),
      fault('a', { line: 3 }),
      fault('a\u001b', { line: 3, column: 2, count: 2 }),
    ]);
    expect(message.split('\n')).toEqual([
      'a: it is wrong',
      '  Correct it.',
      'a:3: it is wrong',
      '  Correct it.',
      'a\\u{1b}:3:2: it is wrong (2 times; this is the first)',
      '  Correct it.',
    ]);
  });

  it('of the first twenty files are spelt out', () => {
    const of = (files: number) =>
      new ImportError(Array.from({ length: files }, (_, i) => fault(String(i)))).message.split('\n');
    expect(of(20)).toHaveLength(40);
    expect(of(21).slice(40)).toEqual(['1 more file with faults.']);
    expect(of(22).slice(40)).toEqual(['2 more files with faults.']);
  });

  it('of one kind are counted, with the words of the first', () => {
    const list = new FaultList('a');
    const words = (message: string) => () => ({ message, remedy: 'Correct it.', place: { line: 7 } });
    list.add('time', words('first'));
    list.add('grid', words('other'));
    list.add('time', words('second'));
    expect(list.size).toBe(2);
    expect(list.list()).toEqual([
      fault('a', { kind: 'time', message: 'first', count: 2, line: 7 }),
      fault('a', { kind: 'grid', message: 'other', line: 7 }),
    ]);
  });
});
