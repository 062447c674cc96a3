/** Imports that are killed: small files of three assets, one row of each per import. */
import { DEFAULT_RULES } from '#src/market/rules.js';
import { openStoredVersion } from '#src/market/store/open-stored-version.js';
import { writeFiles } from './market-files.ts';

const ASSETS = ['aaa', 'bbb', 'ccc'];
const FIRST_DAY = Date.UTC(2015, 0, 1) / 86_400_000;
const dayOf = (number: number): string =>
  new Date((FIRST_DAY + number) * 86_400_000).toISOString().slice(0, 10);

/** The files of import `number`, whose closes are its number. */
export function writeImport(folder: string, number: number): string {
  return writeFiles(
    folder,
    Object.fromEntries(
      ASSETS.map(asset => [`daily/${asset}_usdt.csv`, ['date,close', `${dayOf(number)},${number}`]]),
    ),
  );
}

/** A program that says it is ready, then imports. */
export function killedImportScript(store: string, files: string): string {
  const module = new URL('../../dist/market/import/import-files.js', import.meta.url).href;
  return `
    const { importFiles } = await import(${JSON.stringify(module)});
    process.stdout.write('ready');
    await importFiles(${JSON.stringify({ store, paths: [files], options: { allowJumps: true } })});`;
}

/** The closes of each asset of a store, in order; read whole, every file of it. */
export async function closingValues(store: string): Promise<readonly (readonly number[])[]> {
  const source = await openStoredVersion(store, DEFAULT_RULES);
  return Promise.all(
    source.symbols().map(async symbol => {
      const series = await source.dailyCloses(symbol);
      return Array.from(series?.values ?? []).filter(value => !Number.isNaN(value));
    }),
  );
}
