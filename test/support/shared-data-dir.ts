/** Where the real market data lies; apart from the test runner, so that the runner's own setup can ask. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The data folder: RISK_SHARED_DATA, or `../shared/data` beside the repository; undefined where there is none. */
export function sharedDataDir(): string | undefined {
  const folder = resolve(process.env.RISK_SHARED_DATA ?? join(import.meta.dirname, '../../../shared/data'));
  return existsSync(folder) ? folder : undefined;
}
