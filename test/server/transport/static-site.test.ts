/** The console's files over HTTP: types, caching, compression, and nothing beyond them. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '#src/server/transport/server.js';
import { compressSite, readStaticSite } from '#src/server/transport/static-site.js';
import { problem, serve } from '../../support/http-app.ts';

const PAGE = '<!doctype html><title>page</title>';
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(4000))})`;

describe('a static site', () => {
  let folder: string;
  let server: RunningServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'static-site-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), PAGE);
    await writeFile(join(folder, 'assets/app-1a2b.js'), SCRIPT);
    await writeFile(join(folder, 'assets/choosing-3c4d.md'), '# What to choose');
    const site = pathToFileURL(`${folder}/`);
    await compressSite(site);
    server = await serve({ console: await readStaticSite(site) });
  });

  afterAll(async () => {
    await server.drain(1000);
    await rm(folder, { recursive: true });
  });

  it('serves its page at / without a key, to be revalidated each time', async () => {
    const response = await fetch(`${server.url}/`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toBe(PAGE);
  });

  it('serves a document as text, to be read in the browser', async () => {
    const response = await fetch(`${server.url}/assets/choosing-3c4d.md`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('# What to choose');
  });

  it('answers 304 to a client that has the page', async () => {
    const etag = (await fetch(`${server.url}/`)).headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    // fetch adds a header that asks for the whole page whatever the caller has.
    const [response] = (await once(
      get(`${server.url}/`, { headers: { 'if-none-match': etag } }),
      'response',
    )) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(304);
  });

  it.each(['gzip', 'br'])('compresses with %s for a caller that takes it', async encoding => {
    const response = await fetch(`${server.url}/assets/app-1a2b.js`, {
      headers: { 'accept-encoding': encoding },
    });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(Number(response.headers.get('content-length'))).toBeLessThan(SCRIPT.length / 10);
    expect(await response.text()).toBe(SCRIPT);
  });

  it('lets browsers cache assets permanently, since their names change with their content', async () => {
    const response = await fetch(`${server.url}/assets/app-1a2b.js`);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    await response.arrayBuffer();
  });

  it.each(['/assets/', '/assets/app.js', '/assets/app-1a2b.js.gz', '/assets/..%2findex.html', '/index.html'])(
    'has nothing at %s',
    async path => {
      const response = await fetch(server.url + path);
      expect(response.status).toBe(404);
      await problem(response);
    },
  );

  it('accepts GET and HEAD only', async () => {
    const response = await fetch(`${server.url}/`, { method: 'POST' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    await problem(response);
  });

  it('is not served where it is disabled', async () => {
    const without = await serve();
    const response = await fetch(`${without.url}/`);
    expect(response.status).toBe(404);
    await problem(response);
    await without.drain(1000);
  });

  it('is refused where its folder has no page, a file of an unknown type, or one that is not compressed', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'static-site-'));
    const url = pathToFileURL(`${empty}/`);
    await expect(readStaticSite(url)).rejects.toThrow('there is no index.html');
    await writeFile(join(empty, 'notes.xyz'), 'text');
    await expect(readStaticSite(url)).rejects.toThrow('notes.xyz has an unknown content type');
    await rm(join(empty, 'notes.xyz'));
    await writeFile(join(empty, 'index.html'), PAGE);
    await expect(readStaticSite(url)).rejects.toThrow(/index\.html\.(br|gz)/);
    await rm(empty, { recursive: true });
  });
});
