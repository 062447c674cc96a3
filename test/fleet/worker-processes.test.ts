/** A fleet on real services: workers in processes of their own, which are killed and stopped. */
import { afterEach, describe, expect, it } from 'vitest';
import { processClock } from '#src/core/clock.js';
import type { Outcome } from '#src/core/engine.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { type Fleet, openFleet } from '#src/fleet/fleet.js';
import { createSpreader } from '#src/fleet/spread-engine.js';
import { engineVersion } from '#src/host/engine-version.js';
import { createLogger } from '#src/host/log.js';
import { eventually } from '../support/eventually.ts';
import {
  dropFleet,
  join,
  newFleetName,
  REDIS,
  startWorkerProcess,
  type WorkerProcess,
} from '../support/fleet.ts';
import { fleetPlan } from '../support/fleet-plans.ts';
import { sharedReference } from '../support/threads.ts';

const cpu = sharedReference(1);

/** Answers of one process, by product and number of paths: each plan of the fleet is computed once. */
const known = new Map<string, Promise<Outcome>>();
function answerOf(plan: SimulationPlan): Promise<Outcome> {
  const key = JSON.stringify([plan.product.kind, plan.paths]);
  const answer = known.get(key) ?? cpu.run(plan);
  known.set(key, answer);
  return answer;
}

/** Parts of a few milliseconds, so that there are many. */
const SMALL_PARTS = { leastWork: 0, partSize: { least: 2 ** 17, most: 2 ** 17 } };

describe.skipIf(!REDIS.present)('A fleet on Redis', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function openServer(name: string): Promise<Fleet> {
    const connection = await join(REDIS.url, name);
    const fleet = await openFleet({
      ...connection,
      version: engineVersion(),
      clock: processClock,
      log: createLogger('silent'),
    });
    closing.push(() => fleet.close());
    return fleet;
  }

  async function workers(name: string, count: number): Promise<WorkerProcess[]> {
    const started = await Promise.all(
      Array.from({ length: count }, () => startWorkerProcess(REDIS.url, name)),
    );
    for (const worker of started) closing.push(() => worker.kill());
    return started;
  }

  function newFleet(): string {
    const name = newFleetName();
    closing.push(() => dropFleet(name));
    return name;
  }

  /** Two servers of one fleet with one worker. */
  async function twoServers(): Promise<[Fleet, Fleet]> {
    const name = newFleet();
    const both: [Fleet, Fleet] = [await openServer(name), await openServer(name)];
    await workers(name, 1);
    await eventually(() => both.every(fleet => fleet.threadsFor('reference') === 1));
    return both;
  }

  const spreadOver = (fleet: Fleet, plan: SimulationPlan) => {
    const engine = createSpreader(fleet, SMALL_PARTS).spread(plan, 'reference', cpu);
    if (engine === undefined) throw new Error('the run is not spread');
    return engine;
  };

  async function expectSameAnswers(totals: readonly number[]): Promise<void> {
    const name = newFleet();
    const fleet = await openServer(name);
    for (const total of totals) {
      await workers(name, total - fleet.threadsFor('reference'));
      await eventually(() => fleet.threadsFor('reference') === total);
      for (const kind of ['loan', 'perpetual', 'book'] as const) {
        const plan = fleetPlan(kind, 2000);
        expect(await spreadOver(fleet, plan).run(plan), kind).toEqual(await answerOf(plan));
      }
    }
    expect(fleet.threadsFor('gpu')).toBe(0);
  }

  it('answers as one process does, with one worker', () => expectSameAnswers([1]));

  it('answers as one process does, with one worker and then four', { tags: ['slow'] }, () =>
    expectSameAnswers([1, 4]),
  );

  it('loses nothing and counts nothing twice when a worker is killed, and none is left', {
    tags: ['slow'],
  }, async () => {
    const name = newFleet();
    const fleet = await openServer(name);
    const [first, second] = await workers(name, 2);
    await eventually(() => fleet.threadsFor('reference') === 2);
    const plan = fleetPlan('loan', 200_000);
    const killed: Promise<void>[] = [];
    const outcome = await spreadOver(fleet, plan).run(plan, {
      onProgress: share => {
        if (share > 0.2 && killed.length === 0) killed.push(first.kill());
        // From then on the server computes the rest itself.
        if (share > 0.4 && killed.length === 1) killed.push(second.kill());
      },
    });
    expect(killed).toHaveLength(2);
    expect(outcome).toEqual(await answerOf(plan));
  });

  it('ends a cancelled run at once, and its workers are free for the next', {
    tags: ['slow'],
  }, async () => {
    const name = newFleet();
    const fleet = await openServer(name);
    await workers(name, 1);
    await eventually(() => fleet.threadsFor('reference') === 1);
    const long = fleetPlan('loan', 3_000_000);
    const abort = new AbortController();
    const run = spreadOver(fleet, long).run(long, {
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('enough')),
    });
    await expect(run).rejects.toThrow('enough');
    const next = fleetPlan('loan', 2000);
    expect(await spreadOver(fleet, next).run(next)).toEqual(await answerOf(next));
    await eventually(() => fleet.workers.every(({ busy }) => busy === 0));
  });

  it('finds the answers of a server that has ended', { tags: ['slow'] }, async () => {
    const [gone, next] = await twoServers();
    const plan = fleetPlan('loan', 100_000);
    const parts: number[] = [];
    // It is left as it is, like a process that has ended.
    const abandoned = spreadOver(gone, plan).run(plan, {
      scope: 'job',
      onProgress: share => parts.push(share),
    });
    abandoned.catch(() => {});
    await eventually(() => parts.length > 3);
    expect(await spreadOver(next, plan).run(plan, { scope: 'job' })).toEqual(await answerOf(plan));
  });

  it('ends its runs when it is closed, and leaves their answers to the server that adopts them', {
    tags: ['slow'],
  }, async () => {
    const [leaving, next] = await twoServers();
    const plan = fleetPlan('loan', 100_000);
    const parts: number[] = [];
    const run = spreadOver(leaving, plan).run(plan, {
      scope: 'left',
      onProgress: share => parts.push(share),
    });
    const ended = expect(run).rejects.toMatchObject({ reason: 'engine-unavailable' });
    await eventually(() => parts.length > 3);
    await leaving.close();
    await ended;
    const shares: number[] = [];
    const options = { scope: 'left', onProgress: (share: number) => void shares.push(share) };
    expect(await spreadOver(next, plan).run(plan, options)).toEqual(await answerOf(plan));
    expect(shares.length).toBeGreaterThan(parts.length);
  });

  it('refuses with the reason of a part that fails', { tags: ['slow'] }, async () => {
    const name = newFleet();
    const fleet = await openServer(name);
    await workers(name, 1);
    await eventually(() => fleet.threadsFor('reference') === 1);
    const plan = fleetPlan('loan', 2000);
    const run = fleet.runParts({
      engine: 'reference',
      plan,
      parts: [{ kind: 'chunks', range: { first: 1, count: 3 } }],
      run: 'faulty',
      signal: undefined,
      onAnswer: () => {},
      runHere: () => Promise.reject(new Error('there is a worker')),
    });
    await expect(run).rejects.toMatchObject({ reason: 'engine-failed' });
  });
});
