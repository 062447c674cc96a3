/** Two servers of one fleet in processes of their own: the job of one that is killed is answered by the other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { dropFleet, newFleetName, SERVICES, startWorkerProcess } from '../../support/fleet.ts';
import { LOAN_RISK, withMember } from '../../support/request-bodies.ts';

const SERVER = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const KEY = 'a-key-of-the-fleet-tests';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function startServer(url: string, name: string) {
  const child = spawn(process.execPath, [SERVER], {
    env: {
      ...process.env,
      FLEET_URL: url,
      FLEET_NAME: name,
      API_KEYS: KEY,
      MARKET_DB: 'sample',
      COMPUTE: 'cpu',
      CPU_THREADS: '1',
      PORT: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closing.push(() => kill(child));
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
    if (found !== null) return { child, url: found[0] };
  }
  throw new Error('the server did not start');
}

const LARGE = withMember(withMember(LOAN_RISK, 'params.mc_iter', 400_000), 'params.loan_duration', 60);
const headers = { 'x-api-key': KEY, 'content-type': 'application/json', 'x-seed': '3' };

for (const service of SERVICES) {
  describe.skipIf(!service.present)(`Two servers on ${service.name}`, { tags: ['slow'] }, () => {
    it('answer a job whose server is killed, as if nothing had been', async () => {
      const name = newFleetName();
      closing.push(() => dropFleet(service, name));
      const worker = await startWorkerProcess(service.url, name);
      closing.push(() => worker.kill());
      const [one, two] = await Promise.all([startServer(service.url, name), startServer(service.url, name)]);
      const ask = (server: { readonly url: string }, path: string) => fetch(server.url + path, { headers });
      const submitted = await fetch(`${one.url}/loan_risk`, {
        method: 'POST',
        headers: { ...headers, prefer: 'respond-async', 'x-request-id': 'killed' },
        body: JSON.stringify(LARGE),
      });
      expect(submitted.status, await submitted.clone().text()).toBe(202);
      const location = submitted.headers.get('location') as string;
      const view = async () =>
        (await (await ask(two, location)).json()) as { state: string; share_done: number };
      while ((await view()).share_done < 0.2) await sleep(20);
      await kill(one.child);
      for (;;) {
        const { state } = await view();
        expect(['running', 'queued', 'done']).toContain(state);
        if (state === 'done') break;
        await sleep(50);
      }
      const answer = await ask(two, `${location}/result`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-request-id')).toBe('killed');
      const direct = await fetch(`${two.url}/loan_risk`, {
        method: 'POST',
        headers,
        body: JSON.stringify(LARGE),
      });
      expect(await answer.text()).toBe(await direct.text());
    });
  });
}
