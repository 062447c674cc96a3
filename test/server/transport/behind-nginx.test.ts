/**
 * Two servers behind nginx with the block of docs/operations.md: a stop of one of them loses no request.
 *
 * Skipped where nginx is not installed; .ci/run installs it from Debian. NGINX names another binary.
 * @module-tag slow
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import type { RunningServer } from '#src/server/transport/server.js';
import { eventually } from '../../support/eventually.ts';
import { KEY, serve } from '../../support/http-app.ts';
import { LOAN_RISK } from '../../support/request-bodies.ts';

const NGINX = process.env.NGINX ?? 'nginx';
const hasNginx = spawnSync(NGINX, ['-v']).status === 0;
const operations = readFileSync(
  fileURLToPath(new URL('../../../docs/operations.md', import.meta.url)),
  'utf8',
);
const BLOCK = /<!-- nginx -->\n```nginx\n([\s\S]*?)```/.exec(operations)?.[1] ?? '';
const CALLERS = 16;

let folder: string | undefined;
let proxy: ReturnType<typeof spawn> | undefined;
const servers: RunningServer[] = [];
afterEach(async () => {
  proxy?.kill('SIGTERM');
  await Promise.all(servers.splice(0).map(each => each.drain(1000)));
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const freePort = () =>
  new Promise<number>(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

it.skipIf(!hasNginx)('No request is lost where servers behind nginx are stopped under load', async () => {
  servers.push(await serve(), await serve());
  const port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  mkdirSync(join(folder, 'tmp'));
  const [a, b] = servers.map(({ url }) => new URL(url).port);
  expect(BLOCK).toContain('proxy_next_upstream error timeout non_idempotent;');
  const block = BLOCK.replace(':8081', `:${a}`)
    .replace(':8082', `:${b}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path tmp/${name};`,
  );
  const main = `daemon off; pid nginx.pid; error_log stderr warn; events {}\nhttp { access_log off; ${paths.join(' ')}\n${block}}`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  proxy = spawn(NGINX, ['-p', folder, '-c', 'nginx.conf'], { stdio: 'ignore' });
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/loan_risk`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify(LOAN_RISK),
    });
  let isUp = false;
  await eventually(() => {
    ask().then(
      ({ ok }) => (isUp ||= ok),
      () => {},
    );
    return isUp;
  });
  const statuses = new Map<number, number>();
  let goesOn = true;
  const caller = async () => {
    while (goesOn) {
      const response = await ask();
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  const callers = Array.from({ length: CALLERS }, caller);
  const answered = () => statuses.get(200) ?? 0;
  await eventually(() => answered() > 200);
  const [first] = servers.splice(0, 1);
  await first.drain(60_000);
  const after = answered();
  await eventually(() => answered() > after + 200);
  goesOn = false;
  await Promise.all(callers);
  expect([...statuses.keys()]).toEqual([200]);
});
