/** The guide that the server shows: every document as page and as Markdown, links that lead somewhere, llms.txt, and nothing beyond. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideRoutes } from '#src/server/answers/guide.js';
import type { Context } from '#src/server/transport/context.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { compressSite } from '#src/server/transport/static-site.js';
import { fencedBlocks, readDocument } from '../../docs/tools/examples.mjs';
import { problem, serve } from '../support/http-app.ts';

const inDocs = readdirSync(fileURLToPath(new URL('../../docs', import.meta.url)), {
  recursive: true,
  encoding: 'utf8',
}).filter(name => name.endsWith('.md'));
/** Pages by the file of their document. */
const PAGES = new Map([
  ...inDocs.map(name => [`docs/${name}`, `/docs/guide/${name.slice(0, -3)}`] as const),
  ['README.md', '/docs/guide/readme'],
  ['CHANGELOG.md', '/docs/guide/changelog'],
  ['src/README.md', '/docs/guide/source'],
  ['shaders/README.md', '/docs/guide/shaders'],
  ['client/README.md', '/docs/guide/typescript-client'],
  ['clients/python/README.md', '/docs/guide/python-client'],
]);

let server: RunningServer;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.drain(1000));

/** What was answered by address, each once. */
const answers = new Map<string, Promise<{ status: number; type: string; text: string }>>();
function answerOf(path: string) {
  const known = answers.get(path);
  if (known !== undefined) return known;
  const asked = fetch(server.url + path).then(async response => ({
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  }));
  answers.set(path, asked);
  return asked;
}

/** Links of Markdown outside its blocks. */
function markdownLinks(text: string): string[] {
  const blocks = fencedBlocks(text);
  const prose = text
    .split('\n')
    .filter((_, at) => !blocks.some(({ first, last }) => at >= first && at <= last));
  return [...prose.join('\n').matchAll(/\]\(([^)\s]+)\)/g)].map(match => match[1]);
}

/** Faults of links at an address, those to other hosts apart. */
async function faultsOf(path: string, links: readonly string[]): Promise<string[]> {
  const own = new Set(links.filter(each => !/^[a-z][a-z+.-]*:/i.test(each)));
  const faults = [...own].map(async link => {
    const target = new URL(link, server.url + path);
    const { status, text } = await answerOf(target.pathname);
    if (status !== 200) return `${link}: ${status}`;
    // The headings of a Markdown form are those of its page.
    const html = target.pathname.endsWith('.md') ? (await answerOf(target.pathname.slice(0, -3))).text : text;
    const anchor = decodeURIComponent(target.hash.slice(1));
    return anchor === '' || html.includes(`id="${anchor}"`) ? [] : `${link}: no such heading`;
  });
  return (await Promise.all(faults)).flat();
}

describe('the guide', () => {
  it('has every document as a page without scripts or styles of its own, whose links lead somewhere', async () => {
    for (const [file, path] of [...PAGES, ['', '/docs/guide/'] as const]) {
      const { status, type, text } = await answerOf(path);
      expect([status, type], file).toEqual([200, 'text/html; charset=utf-8']);
      expect(text.match(/<h1/g), file).toHaveLength(1);
      expect(text, file).not.toMatch(/<script>|<style|style="|&lt;!--/);
      const links = [...text.matchAll(/(?:src|href|data-index)="([^"]+)"/g)].map(match => match[1]);
      // The console is not part of this application.
      const console = '../'.repeat(path.split('/').length - 2);
      expect(
        await faultsOf(
          path,
          links.filter(link => link !== console),
        ),
        file,
      ).toEqual([]);
    }
  });

  it('has every document as Markdown, whose links lead somewhere', async () => {
    for (const [file, path] of PAGES) {
      const { status, type, text } = await answerOf(`${path}.md`);
      expect([status, type], file).toEqual([200, 'text/plain; charset=utf-8']);
      const unlinked = (each: string) => each.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\[|\]/g, '');
      expect(unlinked(text), file).toBe(unlinked(readDocument(file)));
      expect(await faultsOf(`${path}.md`, markdownLinks(text)), file).toEqual([]);
    }
  });

  it('lists every document in llms.txt, and on its first page', async () => {
    const { type, text } = await answerOf('/llms.txt');
    expect(type).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# collateral-risk-engine\n\n> \S/);
    const listed = markdownLinks(text).map(link => new URL(link, `${server.url}/llms.txt`).pathname);
    const wanted = [...PAGES.values()].map(path => `${path}.md`);
    expect(listed.toSorted()).toEqual(['/openapi.json', ...wanted].toSorted());
    const first = (await answerOf('/docs/guide/')).text.split('<main')[1];
    const shown = [...first.matchAll(/<li><a href="([^"]+)"/g)].map(match => `/docs/guide/${match[1]}`);
    expect(shown.toSorted()).toEqual([...PAGES.values()].toSorted());
  });

  it('has an index of the search with every heading', async () => {
    const page = (await answerOf('/docs/guide/')).text;
    const { text } = await answerOf(`/docs/guide/${/data-index="([^"]+)"/.exec(page)?.[1]}`);
    const sections = JSON.parse(text) as { page: string; anchor: string; text: string }[];
    const reference = (await answerOf('/docs/guide/reference')).text;
    const anchors = [...reference.matchAll(/<h\d id="([^"]+)"/g)].map(match => match[1]);
    expect(sections.filter(each => each.page === 'reference').map(each => each.anchor)).toEqual(anchors);
    expect(sections.find(each => each.anchor === 'ratios-of-a-loan')?.text).toContain('collateral coverage');
  });

  it('is revalidated, its assets are kept, and only this host may be asked', async () => {
    const page = await fetch(`${server.url}/docs/guide/methodology`);
    const style = /stylesheet" href="([^"]+)"/.exec(await page.text())?.[1];
    const asset = await fetch(new URL(style ?? '', page.url));
    const cached = [page, asset].map(each => each.headers.get('cache-control'));
    expect(cached).toEqual(['no-cache', 'public, max-age=31536000, immutable']);
    expect(page.headers.get('etag')).toMatch(/^"\S{43}"$/);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(await asset.text()).toContain('prefers-color-scheme: dark');
  });

  it('leads from its address without a slash to the first page', async () => {
    const response = await fetch(`${server.url}/docs/guide`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, 'guide/']);
    await response.arrayBuffer();
  });

  it('reads its files again where they could not be read', async () => {
    const folder = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'guide-'))}/`);
    const [, answer] = guideRoutes(folder)[0];
    const ctx = { path: '/llms.txt' } as unknown as Context;
    const asked = async () => answer(ctx, async () => {});
    await expect(asked()).rejects.toThrow('there is no index.html');
    writeFileSync(new URL('index.html', folder), '<title>first</title>');
    await compressSite(folder);
    await expect(asked()).rejects.toThrow('The guide has no page at this path.');
    rmSync(folder, { recursive: true });
  });

  it.each(['nothing', 'methodology.html', '..%2f..%2fpackage.json', 'methodology.md.br'])(
    'has nothing at %s',
    async name => {
      const response = await fetch(`${server.url}/docs/guide/${name}`);
      expect(response.status).toBe(404);
      await problem(response);
    },
  );
});
