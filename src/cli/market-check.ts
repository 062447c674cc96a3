/** `market check`: what is missing in the store, what cannot be right, and what to do about it. */
import { checkStore, DEFAULT_BOUNDS, type Finding } from '../market/check/check-store.ts';
import { counted } from '../market/counted.ts';
import { readCurrent } from '../market/store/read-manifest.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { storeFilesAt } from '../market/store/store-files.ts';
import {
  type MarketPlace,
  type Output,
  progressLine,
  type SentOptions,
  UsageError,
} from './market-command.ts';

/** Findings after which a store cannot be trusted; the others may be as it was. */
const GRAVE: readonly Finding['kind'][] = ['damage', 'order', 'price'];

/** The store does not hold what it should; the findings have been printed. */
export class CheckFailed extends MarketStoreError {}

/** @throws CheckFailed where a finding cannot be right, whatever the market did */
export async function runCheck(
  operands: readonly string[],
  sent: SentOptions,
  { store }: MarketPlace,
  output: Output,
): Promise<void> {
  if (operands.length > 0) throw new UsageError('check takes options only');
  const positive = (name: 'jump-sigmas' | 'disagreement' | 'stale-rows', usual: number): number => {
    const text = sent[name];
    const value = text === undefined ? usual : Number(text);
    if (!(value > 0 && Number.isFinite(value)))
      throw new UsageError(`--${name} is a number above 0; got ${text}`);
    return value;
  };
  const bounds = {
    ...DEFAULT_BOUNDS,
    jumpSigmas: positive('jump-sigmas', DEFAULT_BOUNDS.jumpSigmas),
    disagreement: positive('disagreement', DEFAULT_BOUNDS.disagreement),
    staleRows: positive('stale-rows', DEFAULT_BOUNDS.staleRows),
  };
  const files = storeFilesAt(store);
  const current = await readCurrent(files);
  if (current?.manifest === undefined) {
    throw new MarketStoreError(
      `There is no market store at ${files.place}. Make one: npm run market -- import <file or folder>`,
    );
  }
  const progress = progressLine(output);
  let findings: readonly Finding[];
  try {
    findings = await checkStore(files, current.manifest, new Date(), bounds, progress.update);
  } finally {
    progress.stop();
  }
  let last = '';
  for (const { series, kind, message, remedy } of findings) {
    if (series !== last) output.out(`${series}\n`);
    last = series;
    output.out(`  ${kind}: ${message}\n    ${remedy}\n`);
  }
  const grave = findings.filter(({ kind }) => GRAVE.includes(kind));
  output.out(
    `${counted(current.manifest.series.length, 'series')} looked at, ${counted(findings.length, 'finding')}` +
      ` (jumps beyond ${bounds.jumpSigmas} standard deviations, sources apart by more than ${100 * bounds.disagreement} %, ends older than ${bounds.staleRows} rows).\n`,
  );
  if (grave.length > 0) throw new CheckFailed(`${counted(grave.length, 'finding')} cannot be right.`);
}
