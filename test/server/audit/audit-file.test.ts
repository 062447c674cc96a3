/** The file of records: a chain of lines, each on the disk before its answer; and no answer without one. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkAudit } from '#src/cli/audit.js';
import { RiskError } from '#src/core/errors.js';
import { digestOfLine, followChain } from '#src/server/audit/audit-chain.js';
import { openAuditFile } from '#src/server/audit/audit-file.js';
import { contradicts, digestOf } from '#src/server/audit/digest.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { KEY, post, serve } from '../../support/http-app.ts';
import { collectLog } from '../../support/log-lines.ts';
import { recorded } from '../../support/recorded-output.ts';
import { LOAN_RISK, withMember } from '../../support/request-bodies.ts';

let folder: string;
let server: RunningServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.drain(1000);
  server = undefined;
  rmSync(folder, { recursive: true });
});

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);

describe('A file of records', () => {
  it('is a chain, which goes on after a restart and shows a changed and a removed line', async () => {
    const path = join(folder, 'audit');
    const { log } = collectLog();
    for (const round of [1, 2]) {
      const file = await openAuditFile(path, log);
      await Promise.all([file.write({ round, n: 1 }), file.write({ round, n: 2 })]);
      await file.close();
    }
    const text = readFileSync(path, 'utf8');
    expect(linesOf(path).map(({ round, n }) => [round, n])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ]);
    const lines = text.split(/(?<=\n)/);
    const [, second, third, fourth] = lines.map(digestOfLine);
    const brokenIn = async (changed: string) => {
      writeFileSync(join(folder, 'copy'), changed);
      return (await followChain(join(folder, 'copy'))).broken;
    };
    expect(await followChain(path, second)).toEqual({ lines: 4, broken: [], last: fourth, hasWanted: true });
    expect(await brokenIn(text.replace('"round":1,"n":2', '"round":1,"n":9'))).toEqual([3]);
    expect(await brokenIn(text.replaceAll('\n', '\r\n'))).toEqual([2, 3, 4]);
    expect(await brokenIn(lines.slice(1).join(''))).toEqual([1]);
    expect(await brokenIn(lines.toSpliced(1, 1).join(''))).toEqual([2]);
    // What is behind the last line can only be missed where its digest was kept.
    writeFileSync(path, lines.slice(0, 3).join(''));
    expect(await followChain(path, fourth)).toEqual({ lines: 3, broken: [], last: third, hasWanted: false });
  });

  it('that was cut off in a line goes on in a new one', async () => {
    const path = join(folder, 'audit');
    appendFileSync(path, '{"half":');
    const file = await openAuditFile(path, collectLog().log);
    await file.write({ n: 1 });
    await file.close();
    expect((await followChain(path)).broken).toEqual([1]);
  });

  it('that cannot be written refuses, and leaves no part of a line', async () => {
    const path = join(folder, 'audit');
    const { log, lines } = collectLog();
    const file = await openAuditFile(path, log);
    await file.write({ n: 1 });
    const handle = await open(path);
    const sync = vi
      .spyOn(Object.getPrototypeOf(handle), 'datasync')
      .mockRejectedValueOnce(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await expect(file.write({ n: 2 })).rejects.toMatchObject({ reason: 'audit-unavailable' });
    expect(file.isWritable).toBe(false);
    expect(lines).toMatchObject([{ reason: 'ENOSPC' }]);
    sync.mockRestore();
    await file.write({ n: 3 });
    expect(file.isWritable).toBe(true);
    await Promise.all([file.close(), handle.close()]);
    expect(linesOf(path).map(({ n }) => n)).toEqual([1, 3]);
    expect((await followChain(path)).broken).toEqual([]);
  });
});

describe('The command audit', () => {
  /** What it prints and its exit code, for a file of this content. */
  async function audit(content: string | undefined, kept?: string) {
    const path = join(folder, 'audit');
    if (content !== undefined) writeFileSync(path, content);
    return recorded(output => checkAudit(path, kept, output));
  }

  it('says what an auditor may rely on', async () => {
    const path = join(folder, 'made');
    const file = await openAuditFile(path, collectLog().log);
    for (const n of [1, 2, 3]) await file.write({ n });
    await file.close();
    const text = readFileSync(path, 'utf8');
    const last = digestOfLine(text.trimEnd().split('\n')[2].concat('\n'));
    expect(await audit(text, last)).toEqual({ code: 0, out: `3 lines, 0 broken; last ${last}\n`, err: '' });
    const changed = await audit(text.replace('"n":2', '"n":5'));
    expect(changed).toMatchObject({ code: 1, out: `3 lines, 1 broken; last ${last}\n` });
    expect(changed.err).toMatch(/^line 3: it does not follow on line 2: .+\n$/);
    const short = await audit(text.slice(0, text.lastIndexOf('{')), last);
    expect(short).toMatchObject({
      code: 1,
      err: `no line has the digest ${last}: lines were cut off, or changed\n`,
    });
    expect(await audit('')).toMatchObject({ code: 1, err: 'there is no record\n' });
    expect((await audit('{}\n'.repeat(30))).err).toMatch(/\nand 10 more such lines\n$/);
    rmSync(join(folder, 'audit'));
    expect(await audit(undefined)).toMatchObject({ code: 2, err: expect.stringContaining('ENOENT') });
  });
});

describe('An answer', () => {
  it('has a record before it is sent, with the digests of request and answer', async () => {
    const records: Record<string, unknown>[] = [];
    server = await serve({ audit: { write: async record => void records.push(record as never) } });
    const sent = JSON.stringify(LOAN_RISK);
    const response = await post(server, '/loan_risk', LOAN_RISK, { 'x-request-id': 'one' });
    const digest = await digestOf(Buffer.from(await response.text()));
    expect(response.headers.get('repr-digest')).toBe(digest);
    expect(records).toEqual([
      expect.objectContaining({
        event: 'answer',
        request_id: 'one',
        path: '/loan_risk',
        methodology: 'GBM',
        request_digest: await digestOf(Buffer.from(sent)),
        answer_digest: digest,
      }),
    ]);
    const table = await post(server, '/loan_risk', LOAN_RISK, { accept: 'text/csv' });
    expect(records[1]).toMatchObject({ answer_digest: await digestOf(Buffer.from(await table.text())) });
    const line = `{"id":"a","path":"/loan_risk","body":${sent}}`;
    await (await post(server, '/batch', `${line}\n`, { 'content-type': 'application/x-ndjson' })).text();
    expect(records[2]).toMatchObject({
      request_digest: await digestOf(Buffer.from(line)),
      path: '/loan_risk',
    });
  });

  it('without a record is 503, and a table is cut off', async () => {
    const refusal = new RiskError('audit-unavailable', 'No record.', { retryAfterSeconds: 5 });
    server = await serve({ audit: { write: () => Promise.reject(refusal) } });
    const response = await post(server, '/loan_risk', LOAN_RISK);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ type: 'urn:collateral-risk-engine:audit-unavailable' });
    const table = await post(server, '/loan_risk', LOAN_RISK, { accept: 'text/csv' });
    expect(table.status === 503 || (await table.text().catch(() => 'cut off')) === 'cut off').toBe(true);
  });

  it('is refused to a body that is not the one of its digest', async () => {
    server = await serve();
    const own = await digestOf(Buffer.from(JSON.stringify(LOAN_RISK)));
    const statusOf = async (digest: string) =>
      (await post(server as RunningServer, '/loan_risk', LOAN_RISK, { 'content-digest': digest })).status;
    expect(await statusOf(own)).toBe(200);
    expect(await statusOf(await digestOf(Buffer.from('other')))).toBe(400);
    expect(contradicts(`sha-512=:YQ==:, ${own}`, own)).toBe(false);
    expect(contradicts('sha-512=:YQ==:', own)).toBe(false);
  });
});

it('No name that a caller invents is in the log', async () => {
  const { log, lines } = collectLog();
  server = await serve({ log });
  const named = withMember(LOAN_RISK, 'params.collateral_weights', { 'Jan Kowalski': 1, jan_kowalski: 'x' });
  await post(server, '/loan_risk?jan_kowalski=1', withMember(named, 'params.jan_kowalski@example_pl', 1));
  await post(server, '/jan_kowalski', {});
  await fetch(`${server.url}/jobs/jan_kowalski`, { headers: { 'x-api-key': KEY } });
  expect(JSON.stringify(lines).toLowerCase()).not.toMatch(/kowalski/);
  expect(lines.map(({ path, paths }) => [path, paths])).toEqual([
    [
      '/loan_risk',
      expect.arrayContaining(['query.<unknown>', 'params.<unknown>', 'params.collateral_weights.*']),
    ],
    ['<unknown>', undefined],
    ['/jobs/:id', undefined],
  ]);
});
