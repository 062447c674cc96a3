/** Imports the real market data once for all test files, where it is present. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { importFiles } from '#src/market/import/import-files.js';
import { sharedDataDir } from './shared-data-dir.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a market store with the real data; empty where there is none. */
    realMarketDb: string;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const dataDir = sharedDataDir();
  const folder = mkdtempSync(join(tmpdir(), 'risk-engine-test-'));
  const store = join(folder, 'market');
  if (dataDir !== undefined) await importFiles({ store, paths: [dataDir] });
  else console.log('No ../shared/data (RISK_SHARED_DATA): the tests that need real market data are skipped.');
  project.provide('realMarketDb', dataDir === undefined ? '' : store);
  return () => rmSync(folder, { recursive: true, force: true });
}
