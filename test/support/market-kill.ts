/** Programs that write to a store and are killed at random moments: small imports, and small syncs of a loopback exchange. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_RULES } from '#src/market/rules.js';
import { openStoredVersion } from '#src/market/store/store-source.js';
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

const built = (module: string): string =>
  JSON.stringify(new URL(`../../dist/${module}`, import.meta.url).href);

/** A program that says it is ready, then imports. */
export const importProgram = (store: string, files: string): string => `
  const { importFiles } = await import(${built('market/import/import-files.js')});
  process.stdout.write('ready');
  await importFiles(${JSON.stringify({ store, paths: [files], options: { allowJumps: true } })});`;

/** A program that says it is ready, then brings two markets of the exchange at `url` up to `now`. */
export const syncProgram = (store: string, url: string, since: number, now: number): string => `
  const { openExchange } = await import(${built('market/sync/exchange.js')});
  const { syncOnce } = await import(${built('market/sync/sync.js')});
  const client = await openExchange('binance', { apiUrl: ${JSON.stringify(url)} });
  process.stdout.write('ready');
  const results = await syncOnce({
    store: ${JSON.stringify(store)}, client, kind: 'price', symbols: ['BTC/USDT', 'ETH/USDT'], timeframe: '1h',
    since: new Date(${since}), now: () => new Date(${now}), wait: async () => {},
  });
  await client.close();
  if (results.some(({ failure }) => failure !== undefined)) throw new Error(JSON.stringify(results));`;

/** Starts a program; resolves when it is loaded, so that what follows is its work alone. */
async function started(program: string): Promise<{ child: ChildProcess; ended: Promise<unknown[]> }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
  return { child, ended };
}

const RUNS_PER_FREE_ONE = 8;

/** How many programs ended by themselves, and how many were killed. */
export interface KillCounts {
  readonly programs: number;
  readonly killed: number;
  /** Killed when they had written already. */
  readonly killedAfterWriting: number;
}

/**
 * Runs programs one after the other, each killed with SIGKILL at a random moment of its work, until so many have been
 * killed. One in eight ends by itself and shows how long its work takes now: machines are busier at one time than at another.
 *
 * @param programOf the text of program `number`, from 1
 * @param look called after each; says whether the program has written
 */
export async function killAtRandom(
  kills: number,
  programOf: (number: number) => string,
  look: (number: number, killed: boolean) => Promise<boolean>,
): Promise<KillCounts> {
  let seed = 12_345;
  const random = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed / 2 ** 32;
  };
  let [programs, killed, killedAfterWriting, wholeMs] = [0, 0, 0, 0];
  // A machine that is never quick enough to kill one would go on for ever.
  for (; killed < kills && programs < 20 * (kills + 1); ) {
    programs++;
    const { child, ended } = await started(programOf(programs));
    const begun = performance.now();
    const free = programs % RUNS_PER_FREE_ONE === 1;
    const timer = free ? undefined : setTimeout(() => child.kill('SIGKILL'), random() * 1.2 * wholeMs);
    const [code, signal] = await ended;
    clearTimeout(timer);
    const wasKilled = signal === 'SIGKILL';
    if (!wasKilled && code !== 0) throw new Error(`program ${programs} ended with ${code ?? signal}`);
    if (!wasKilled) wholeMs = performance.now() - begun;
    const wrote = await look(programs, wasKilled);
    if (wasKilled) killed++;
    if (wasKilled && wrote) killedAfterWriting++;
  }
  return { programs, killed, killedAfterWriting };
}

/** The points and closes of each asset of a store, by day or by hour; read whole, every file of it. */
export async function heldCloses(
  store: string,
  by: 'day' | 'hour',
): Promise<Readonly<Record<string, readonly (readonly [point: number, close: number])[]>>> {
  if (!existsSync(join(store, 'CURRENT'))) return {};
  const source = await openStoredVersion(store, DEFAULT_RULES);
  const held = source.symbols().map(async symbol => {
    const series = await (by === 'day' ? source.dailyCloses(symbol) : source.hourlyCloses(symbol));
    const first = series?.first ?? 0;
    const points = Array.from(series?.values ?? [], (close, i) => [first + i, close] as const);
    return [symbol, points.filter(([, close]) => !Number.isNaN(close))] as const;
  });
  return Object.fromEntries(await Promise.all(held));
}
