/**
 * Two servers of one fleet in processes of their own: the job of one that is killed is answered by the other.
 *
 * @module-tag slow
 */
import { afterEach, describe, expect, it } from 'vitest';
import { dropFleet, newFleetName, REDIS, startWorkerProcess } from '../support/fleet.ts';
import { outliveServer, type ServerProcess, startServerProcess } from '../support/fleet-servers.ts';
import { LOAN_RISK, withMember } from '../support/request-bodies.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Some seconds of a thread. */
const LARGE = withMember(withMember(LOAN_RISK, 'params.mc_iter', 400_000), 'params.loan_duration', 60);

/** What a server answers to it at once, the first that is asked: no answer depends on its store or workers. */
let known: Promise<string> | undefined;
function direct(server: ServerProcess): Promise<string> {
  known ??= server.ask(LARGE).then(answer => answer.text());
  return known;
}

describe.skipIf(!REDIS.present)('Two servers on Redis', () => {
  it('answer a job whose server is killed with the same bytes', async () => {
    const name = newFleetName();
    closing.push(() => dropFleet(name));
    const worker = await startWorkerProcess(REDIS.url, name);
    closing.push(() => worker.kill());
    const start = () => startServerProcess({ url: REDIS.url, name });
    const [one, two] = await Promise.all([start(), start()]);
    closing.push(one.kill, two.kill);
    const { answer } = await outliveServer(one, two, LARGE, { share: 0.2, requestId: 'killed' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-request-id')).toBe('killed');
    expect(await answer.text()).toBe(await direct(two));
  });

  it('answer it with the same bytes where a worker is killed with the server', async () => {
    const name = newFleetName();
    closing.push(() => dropFleet(name));
    const worker = () => startWorkerProcess(REDIS.url, name);
    const start = () => startServerProcess({ url: REDIS.url, name });
    const [left, lost] = await Promise.all([worker(), worker()]);
    const [one, two] = await Promise.all([start(), start()]);
    closing.push(left.kill, lost.kill, one.kill, two.kill);
    // The parts of one worker are larger than those of two.
    const killed = { ...one, kill: () => Promise.all([one.kill(), lost.kill()]).then(() => {}) };
    const { answer } = await outliveServer(killed, two, LARGE, { share: 0.4, requestId: 'killed' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(await direct(two));
  });
});
