/** GET /scenarios: what can be replayed by name. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readScenarioFile } from '#src/question/scenario/scenario.js';
import { scenarioList } from '#src/server/openapi/response/service.js';
import { dayOf } from '#src/text/calendar-date.js';
import { useSampleService } from '../../support/sample-service.ts';

const app = useSampleService({});

it('GET /scenarios lists the windows with the fall of each asset, in the form that openapi.json describes', async () => {
  const response = await app.get('/scenarios');
  expect(response.status).toBe(200);
  const { scenarios } = scenarioList.parse(await response.json());
  expect(scenarios.map(({ name }) => name)).toEqual([
    'covid-2020',
    'may-2021',
    'luna-2022',
    'ftx-2022',
    'august-2024',
    'october-2025',
    'february-2026',
  ]);
  expect(scenarios[0].drawdowns?.SOL).toBeUndefined();
  expect(scenarios[0]).toMatchObject({ from: '2020-03-11T00:00Z', hours: 96 });
  expect(scenarios[0].drawdowns?.BTC.closes).toBeCloseTo(-0.48, 3);
  expect(scenarios[0].drawdowns?.BTC.lows).toBeLessThan(-0.5);
});

it('GET /scenarios needs a key, and POST is 405', async () => {
  expect((await fetch(`${app.service.url}/scenarios`)).status).toBe(401);
  expect((await app.post('/scenarios', {})).status).toBe(405);
});

describe('A server with configured scenarios', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'scenarios-')), 'scenarios.json');
  const house = {
    name: 'house',
    title: 'House view',
    price_shock: { '*': -0.4, PEPE: -0.8 },
    volatility_shock: 1,
  };
  const june = { name: 'june', replay: { from: '2024-06-20T00:00Z', hours: 48 } };
  writeFileSync(path, JSON.stringify({ scenarios: [house, june] }));
  const own = useSampleService({ SCENARIOS_FILE: path });

  it('lists them after those of the program', async () => {
    const { scenarios } = scenarioList.parse(await (await own.get('/scenarios')).json());
    expect(scenarios.slice(7)).toEqual([
      house,
      { name: 'june', title: 'june', from: '2024-06-20T00:00Z', hours: 48, drawdowns: {} },
    ]);
  });

  it('answers them by their names, for a book without some of their assets, too', async () => {
    const loan = {
      ...{ id: 'a', collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, loan_value: 1000 },
      ...{ N: 2, M: 1.3, L: 1.1, loan_duration: 30, mc_top_up: 24 },
    };
    const params = {
      analysis_date: '06-30-2024',
      model_lookback: 60,
      mc_iter: 0,
      quantile: [0.9],
      loans: [loan],
    };
    const response = await own.post('/stress', {
      type: 'GBM',
      params: { ...params, scenarios: ['house', 'june'] },
    });
    const { Output } = (await response.json()) as { Output: { Scenarios: Record<string, { Ltv: number }> } };
    expect(Output.Scenarios.house.Ltv).toBeCloseTo(0.5 / 0.6, 12);
    expect(Object.keys(Output.Scenarios)).toEqual(['base', 'house', 'june']);
  });
});

describe('A file of scenarios', () => {
  const read = (...scenarios: unknown[]) =>
    readScenarioFile({ scenarios }, dayOf(new Date('2026-01-01T00:00:00Z')));

  it.each([
    ['a window of the program', { name: 'ftx-2022', price_shock: { BTC: -0.1 } }, 'a window of the program'],
    ['nothing that happens', { name: 'calm' }, 'must have price_shock, vo'],
    ['an unknown member', { name: 'x', shock: 1 }, 'scenarios.0.shock is an unknown member'],
    ['hours to come', { name: 'x', replay: { from: '2026-02-01T00:00Z', hours: 5 } }, 'hours before now'],
  ])('is refused with %s', (_, scenario, words) => {
    const checked = read(scenario);
    expect(
      checked.ok ? [] : checked.faults.map(({ message }) => message).join(),
      JSON.stringify(scenario),
    ).toContain(words);
  });
});
