/** `market check`: missing and impossible data of the store, with remedies. */

import { counted } from '../counted.ts';
import { checkStore, DEFAULT_BOUNDS, type Finding } from '../market/check/check-store.ts';
import { readExisting } from '../market/store/read-manifest.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { storeFilesAt } from '../market/store/store-files.ts';
import { type MarketCall, percentLine, UsageError } from './market-command.ts';

/** Findings that are errors of the data in any market. */
const GRAVE: readonly Finding['kind'][] = ['damage', 'order', 'price'];

/** Prints the findings. @throws MarketStoreError for a grave finding */
export async function runCheck({ operands, options, store, output }: MarketCall): Promise<void> {
  if (operands.length > 0) throw new UsageError('check takes options only');
  const positive = (name: 'jump-sigmas' | 'disagreement' | 'stale-rows', usual: number): number => {
    const text = options[name];
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
  const manifest = await readExisting(files);
  const progress = percentLine(output);
  const findings = await checkStore(files, manifest, new Date(), bounds, progress.update).finally(
    progress.end,
  );
  let last = '';
  for (const { series, kind, message, remedy } of findings) {
    if (series !== last) output.out(`${series}\n`);
    last = series;
    output.out(`  ${kind}: ${message}\n    ${remedy}\n`);
  }
  const grave = findings.filter(({ kind }) => GRAVE.includes(kind));
  output.out(
    `${counted(manifest.series.length, 'series')} looked at, ${counted(findings.length, 'finding')}` +
      ` (jumps beyond ${bounds.jumpSigmas} standard deviations, sources apart by more than ${100 * bounds.disagreement} %, ends older than ${bounds.staleRows} rows).\n`,
  );
  if (grave.length > 0) throw new MarketStoreError(`${counted(grave.length, 'finding')} cannot be right.`);
}
