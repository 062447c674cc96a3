/** `market check`: missing and impossible data of the store, with remedies. */
import type { Command } from 'commander';
import { type CheckBounds, checkStore, DEFAULT_BOUNDS, type Finding } from '../market/check/check-store.ts';
import { readExisting } from '../market/store/read-manifest.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { storeFilesAt } from '../market/store/store-files.ts';
import { counted } from '../text/counted.ts';
import { type MarketCall, percentLine } from './market-command.ts';
import { positive } from './options.ts';

/** Findings that are errors of the data in any market. */
const GRAVE: readonly Finding['kind'][] = ['damage', 'order', 'price'];

export function addCheck(program: Command, call: MarketCall): void {
  const { jumpSigmas, disagreement, staleRows } = DEFAULT_BOUNDS;
  program
    .command('check')
    .description(
      'find gaps, jumps, stale ends, disagreement of sources; fails on damage, disorder and impossible prices',
    )
    .option('--jump-sigmas <number>', 'standard deviations of a jump', positive, jumpSigmas)
    .option('--disagreement <share>', 'by which two sources differ', positive, disagreement)
    .option('--stale-rows <number>', 'age of a last row that is reported', positive, staleRows)
    .action((sent: Sent) => check({ ...DEFAULT_BOUNDS, ...sent }, call));
}

type Sent = Pick<CheckBounds, 'jumpSigmas' | 'disagreement' | 'staleRows'>;

/** Prints the findings. @throws MarketStoreError for a grave finding */
async function check(bounds: CheckBounds, { store, output }: MarketCall): Promise<void> {
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
