/** Generated requests: whatever is sent, the answer is a good one or a well-formed refusal, never a failure. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLongQuestion } from '#src/question/reading/read-bytes.js';
import { jsonSchemaOf } from '#src/server/openapi/json-schema.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { dayOf } from '#src/text/calendar-date.js';
import { KEY, NOW, post, problem, serve, testRoutes } from '../../support/http-app.ts';
import { GOOD_BODIES } from '../../support/request-bodies.ts';
import { madeConsistent, valuesOf } from '../../support/schema-values.ts';

const TODAY = dayOf(NOW);
/** The seeds are fixed, so that a failure here is a failure everywhere. */
const ROUNDS = [
  { seed: 20_260_615, numRuns: 40, tags: [] },
  { seed: 20_260_616, numRuns: 1000, tags: ['slow'] },
];

let server: RunningServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.drain(1000));

const path = fc.constantFrom(...(Object.keys(GOOD_BODIES) as (keyof typeof GOOD_BODIES)[]));
/** Values that break things elsewhere, beside any JSON. */
const value = fc.oneof(
  fc.jsonValue(),
  fc.double(),
  fc.constantFrom(
    0,
    -0,
    1e-324,
    1e308,
    2 ** 53,
    '',
    '1',
    '\u0000',
    '\ud800',
    '__proto__',
    null,
    [],
    {},
    [[]],
    '02-30-2026',
  ),
);
const key = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'USD', 'usdc', 'type'),
);

/** Every place in a JSON value, as a list of keys. */
function placesIn(node: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof node !== 'object' || node === null) return [at];
  return [at, ...Object.entries(node).flatMap(([name, child]) => placesIn(child, [...at, name]))];
}

/** A copy of `node` with the value at `place` replaced. */
function replaced(node: unknown, [first, ...others]: readonly string[], by: unknown): unknown {
  if (first === undefined) return by;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(node) ? [...node] : Object(node);
  const child = replaced(Reflect.get(copy, first), others, by);
  if (Array.isArray(copy)) return Object.assign([...copy], { [first]: child });
  return Object.fromEntries([...Object.entries(copy).filter(([name]) => name !== first), [first, child]]);
}

async function expectGoodAnswer(response: Response, allowed: readonly number[], sent: string): Promise<void> {
  expect(allowed, `${response.status} for ${sent}`).toContain(response.status);
  if (response.status === 200) await response.json();
  else await problem(response);
}

for (const { seed, numRuns, tags } of ROUNDS)
  describe(`The service answers, in ${numRuns} rounds,`, { tags }, () => {
    it('200 or 422 to a good body that is changed in one or two places', async () => {
      const bent = path.chain(route => {
        const places = fc.constantFrom(...placesIn(GOOD_BODIES[route]));
        return fc.record({
          route: fc.constant(route),
          bends: fc.array(fc.tuple(places, value), { maxLength: 2 }),
        });
      });
      await fc.assert(
        fc.asyncProperty(bent, async ({ route, bends }) => {
          const body = bends.reduce<unknown>(
            (node, [place, by]) => replaced(node, place, by),
            GOOD_BODIES[route],
          );
          const text = JSON.stringify(body) ?? 'null';
          await expectGoodAnswer(await post(server, route, text), [200, 422], `${route} ${text}`);
        }),
        { seed, numRuns },
      );
    });

    it('200 or 422 to bodies made from the request schemas', async () => {
      // Books are read by threads, and back-tests are many runs: the bench sends them to a whole service.
      const routes = testRoutes().filter(({ name }) => !isLongQuestion(name));
      const made = fc.oneof(
        ...routes.map(route => {
          const body = valuesOf(jsonSchemaOf(route.schema(TODAY)), ['BTC', 'ETH', 'USD', 'btc']);
          const eased = fc.boolean();
          return fc.tuple(body, eased).map(([sent, ease]) => ({
            path: route.path,
            text: JSON.stringify(ease ? madeConsistent(sent) : sent),
          }));
        }),
      );
      const statuses = new Set<number>();
      await fc.assert(
        fc.asyncProperty(made, async ({ path: to, text }) => {
          const response = await post(server, to, text);
          statuses.add(response.status);
          await expectGoodAnswer(response, [200, 422], `${to} ${text}`);
        }),
        { seed, numRuns },
      );
      expect([...statuses].sort()).toEqual([200, 422]);
    });

    it('422 to a body with an unknown member', async () => {
      const strange = fc.record({ route: path, name: key, by: value });
      await fc.assert(
        fc.asyncProperty(strange, async ({ route, name, by }) => {
          const body = GOOD_BODIES[route];
          fc.pre(!(name in body) || name in Object.prototype);
          const text = `{${JSON.stringify(name)}:${JSON.stringify(by) ?? 'null'},${JSON.stringify(body).slice(1)}`;
          await expectGoodAnswer(await post(server, route, text), [422], `${route} ${text}`);
        }),
        { seed, numRuns: numRuns / 2 },
      );
    });

    it('200 or 422 to any weight map', async () => {
      const weights = fc.dictionary(key, fc.oneof(value, fc.constantFrom(0.5, 1, 0.25)), { maxKeys: 5 });
      await fc.assert(
        fc.asyncProperty(weights, async map => {
          const text = JSON.stringify(GOOD_BODIES['/loan_risk']).replace(
            /"loan_weights":\{[^}]*\}/,
            () => `"loan_weights":${JSON.stringify(map)}`,
          );
          await expectGoodAnswer(await post(server, '/loan_risk', text), [200, 422], text);
        }),
        { seed, numRuns: numRuns / 2 },
      );
    });

    it('400, 413, 415 or 422 to any bytes', async () => {
      const bytes = fc.record({ route: path, body: fc.uint8Array({ maxLength: 200 }) });
      await fc.assert(
        fc.asyncProperty(bytes, async ({ route, body }) => {
          const response = await fetch(server.url + route, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-api-key': KEY },
            body: new Uint8Array(body),
          });
          await expectGoodAnswer(response, [400, 422], `${route} ${Buffer.from(body).toString('base64')}`);
        }),
        { seed, numRuns: numRuns / 2 },
      );
    });

    it('a refusal or an answer to any headers and any path', async () => {
      const text = fc.string({
        unit: fc.constantFrom(...'aZ09 ,;:=/"\'()<>@\\[]{}?!#$%&*+-.^_`|~'),
        maxLength: 40,
      });
      const headers = fc.record({
        path: fc.oneof(path, fc.webPath()),
        seed: fc.oneof(text, fc.nat().map(String)),
        compute: fc.oneof(text, fc.constantFrom('auto', 'gpu', 'cpu')),
        type: fc.oneof(text, fc.constantFrom('application/json', 'application/json; charset=utf-8')),
        id: text,
        key: fc.oneof(text, fc.constant(KEY)),
      });
      await fc.assert(
        fc.asyncProperty(headers, async sent => {
          const response = await post(server, sent.path, GOOD_BODIES['/loan_risk'], {
            'x-seed': sent.seed,
            'x-compute': sent.compute,
            'content-type': sent.type,
            'x-request-id': sent.id,
            'x-api-key': sent.key,
          });
          await expectGoodAnswer(response, [200, 401, 404, 405, 415, 422], JSON.stringify(sent));
        }),
        { seed, numRuns },
      );
    });
  });
