/** Scenarios of requests and of the file of a server, with their windows. */
import { describe, expect, it } from 'vitest';
import type { SentScenario } from '#src/question/request/scenario.js';
import { LIBRARY_WINDOWS } from '#src/question/scenario/library.js';
import {
  type NamedScenario,
  readScenario,
  readScenarioFile,
  scenarioLibrary,
} from '#src/question/scenario/scenario.js';
import { parseHour } from '#src/text/calendar-date.js';

const TODAY = 20_600;
const OWN: NamedScenario = { name: 'own', title: 'Of the desk', priceShock: { '*': -0.1 } };
const REPLAYED: NamedScenario = {
  ...{ name: 'replayed', title: 'With a replay' },
  replay: { from: 100, hours: 5, proxies: { SOL: { asset: 'ETH', beta: 2 } } },
};
const library = scenarioLibrary([OWN, REPLAYED]);
const WINDOWS = LIBRARY_WINDOWS.map(({ name }) => name);
const read = (sent: object) =>
  readScenario({ name: 'a', ...sent } as SentScenario, 'params.scenarios.3', { library, today: TODAY });

it('The library has the windows of the program in the order of time, then the scenarios of the server', () => {
  expect([...library.keys()]).toEqual([...WINDOWS, 'own', 'replayed']);
  const { name, title, from, hours } = LIBRARY_WINDOWS[0];
  expect(library.get(name)).toEqual({ name, title, replay: { name, from, hours, proxies: {} } });
  expect([...scenarioLibrary().keys()]).toEqual(WINDOWS);
});

describe('A scenario', () => {
  it.each<[object, object]>([
    [{ price_shock: { BTC: -0.1 } }, { priceShock: { BTC: -0.1 } }],
    [{ volatility_shock: 0.5 }, { volatilityShock: 0.5 }],
    [{ volatility_shock: 0 }, { volatilityShock: 0 }],
    [{ replay: { from: 24, hours: 5 } }, { replay: { from: 24, hours: 5, proxies: {} } }],
    [
      {
        price_shock: { BTC: -0.1 },
        volatility_shock: 1,
        replay: { from: 24, hours: 5, proxy: { BTC: { asset: 'ETH', beta: 1 } } },
      },
      {
        ...{ priceShock: { BTC: -0.1 }, volatilityShock: 1 },
        replay: { from: 24, hours: 5, proxies: { BTC: { asset: 'ETH', beta: 1 } } },
      },
    ],
  ])('with %j has nothing else', (sent, scenario) => {
    const found = read(sent);
    expect(found).toEqual({ scenario: { name: 'a', ...scenario } });
    expect('scenario' in found && Object.keys(found.scenario).sort()).toEqual(
      ['name', ...Object.keys(scenario)].sort(),
    );
  });

  it('with a name alone is that of the library', () => {
    expect(readScenario({ name: 'own' }, 'x', { library, today: TODAY })).toEqual({ scenario: OWN });
    expect(read({})).toMatchObject({
      faults: [
        {
          path: 'params.scenarios.3',
          message: `scenarios.3 must have price_shock, volatility_shock, replay or reverse, or the name of a scenario of GET /scenarios: ${[...WINDOWS, 'own', 'replayed'].join(', ')}; got "a"`,
        },
      ],
    });
  });

  it('replays a window by its name, with further proxies', () => {
    const proxy = { BTC: { asset: 'SOL', beta: 3 } };
    expect(read({ replay: { name: 'replayed', proxy } })).toEqual({
      scenario: {
        name: 'a',
        replay: { from: 100, hours: 5, proxies: { SOL: { asset: 'ETH', beta: 2 }, ...proxy } },
      },
    });
    for (const name of ['own', 'none'])
      expect(read({ replay: { name } })).toMatchObject({
        faults: [
          {
            path: 'params.scenarios.3.replay',
            message: `scenarios.3.replay must be the name of a window of GET /scenarios: ${[...WINDOWS, 'replayed'].join(', ')}; got "${name}"`,
          },
        ],
      });
  });

  it('replays hours up to the end of today', () => {
    const end = 24 * (TODAY + 1);
    expect(read({ replay: { from: end - 5, hours: 5 } })).toHaveProperty('scenario');
    expect(read({ replay: { from: end - 4, hours: 5 } })).toMatchObject({
      faults: [
        {
          path: 'params.scenarios.3.replay.from',
          message: 'scenarios.3.replay.from must be at least hours before now',
        },
      ],
    });
  });
});

describe('A file of scenarios', () => {
  const from = '2020-03-12T00:00Z';

  it('has each with a title, by default its name', () => {
    expect(
      readScenarioFile(
        {
          scenarios: [
            { name: 'fall', price_shock: { btc: -0.3 } },
            { name: 'again', title: 'March', replay: { from, hours: 5 } },
          ],
        },
        TODAY,
      ),
    ).toEqual({
      ok: true,
      value: [
        { name: 'fall', title: 'fall', priceShock: { BTC: -0.3 } },
        { name: 'again', title: 'March', replay: { from: parseHour(from), hours: 5, proxies: {} } },
      ],
    });
  });

  it('is refused with every fault', () => {
    const refused = (scenarios: unknown) => {
      const checked = readScenarioFile({ scenarios }, TODAY);
      return checked.ok ? [] : checked.faults.map(({ path, message }) => `${path}: ${message}`);
    };
    expect(refused([])).toHaveLength(1);
    const one = [{ name: WINDOWS[0], price_shock: { BTC: -0.3 } }];
    const fault = `scenarios.0: scenarios.0.name must be other than ${WINDOWS[0]}, a window of the program`;
    expect(refused(one)).toMatchObject([fault]);
    expect(refused([...one, { name: 'a' }, { name: 'b', price_shock: { BTC: -0.1 } }])).toMatchObject([
      fault,
      expect.stringMatching(/^scenarios\.1: scenarios\.1 must have price_shock, .*; got "a"$/),
    ]);
  });
});
