/** The tables of docs/real-loans.md are results of the engine on real prices. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Service } from '#src/server/service.js';
import { LEDN, lednPool, realLoanTables, withTables } from '../../docs/tools/real-loans.mjs';
import { postTo, startSampleService } from '../support/sample-service.ts';
import { describeWithSharedData } from '../support/shared-data.ts';

const DOCUMENT = new URL('../../docs/real-loans.md', import.meta.url);

it('A drawn pool has the number, the debt and the collateral of the public one', () => {
  const pool = lednPool(0.1);
  const total = (of: (loan: (typeof pool)[number]) => number) =>
    pool.reduce((sum, loan) => sum + of(loan), 0);
  expect(pool).toHaveLength(5441);
  expect(total(({ usd }) => usd)).toBeCloseTo(LEDN.loanUsd, 2);
  expect(total(({ btc }) => btc)).toBeCloseTo(LEDN.collateralBtc, 6);
});

describeWithSharedData('docs/real-loans.md', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startSampleService({ MARKET_DB: inject('realMarketDb') });
  });
  afterAll(() => service.stop());

  it('has the tables of docs/tools/real-loans.mjs from real prices', { tags: ['slow'] }, async () => {
    const tables = await realLoanTables(async (body: object) => {
      const response = await postTo(service, '/stress', body);
      const text = await response.text();
      expect(response.status, text).toBe(200);
      return JSON.parse(text);
    });
    const text = readFileSync(DOCUMENT, 'utf8');
    expect(withTables(text, tables), 'run docs/tools/real-loans.mjs on a store of these prices').toBe(text);
  });
});
