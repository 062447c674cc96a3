/** GET /scenarios: what can be replayed by name. */
import { expect, it } from 'vitest';
import { scenarioList } from '#src/response/scenarios.js';
import { useSampleService } from '../support/sample-service.ts';

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
  expect(scenarios[0].drawdowns.SOL).toBeUndefined();
  expect(scenarios[0]).toMatchObject({ from: '2020-03-11T00:00Z', hours: 96 });
  expect(scenarios[0].drawdowns.BTC.closes).toBeCloseTo(-0.48, 3);
  expect(scenarios[0].drawdowns.BTC.lows).toBeLessThan(-0.5);
});

it('GET /scenarios needs a key, and POST is 405', async () => {
  expect((await fetch(`${app.service.url}/scenarios`)).status).toBe(401);
  expect((await app.post('/scenarios', {})).status).toBe(405);
});
