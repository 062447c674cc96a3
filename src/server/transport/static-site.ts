/**
 * The console and the guide as files in memory, each read once, then served from a fixed table.
 *
 * Takes: a folder that the build wrote, with the compressed forms of its files, since strong compression takes longer than the rest of a
 * server's start. Gives: middleware per path. Paths of requests are never used as file paths.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Middleware } from './context.ts';

/** File name suffixes by content encoding, the preferred one first. */
export const ENCODING_SUFFIXES = { br: '.br', gzip: '.gz' } as const;

export type SiteEncoding = keyof typeof ENCODING_SUFFIXES;

const COMPRESSORS: Readonly<Record<SiteEncoding, (content: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
};

export const SITE_ENCODINGS = Object.keys(COMPRESSORS) as readonly SiteEncoding[];

/** Types of files that compression does not make smaller. */
const PACKED_TYPES: ReadonlySet<string> = new Set(['.png', '.woff2']);

/** Whether a file of this name is the compressed form of another. */
export const isCompressed = (name: string): boolean =>
  Object.values(ENCODING_SUFFIXES).some(suffix => name.endsWith(suffix));

/** Writes the compressed forms of every file in `folder`, which ends with a slash, and its subfolders. */
export async function compressSite(folder: URL): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    entry => entry.isFile() && !isCompressed(entry.name) && !PACKED_TYPES.has(extname(entry.name)),
  );
  await Promise.all(
    files.flatMap(({ parentPath, name }) => {
      const path = `${parentPath}/${name}`;
      return SITE_ENCODINGS.map(async encoding =>
        writeFile(path + ENCODING_SUFFIXES[encoding], await COMPRESSORS[encoding](await readFile(path))),
      );
    }),
  );
}

/** A file with its headers. */
interface SiteFile {
  readonly type: string;
  readonly etag: string;
  /** Bodies by content encoding. */
  readonly bodies: Readonly<Record<'identity', Buffer> & Partial<Record<SiteEncoding, Buffer>>>;
  readonly cacheControl: string;
}

/** Files by the path at which they are served. */
export type StaticSite = ReadonlyMap<string, SiteFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  // Plain text: no browser renders it.
  '.md': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.ipynb': 'application/x-ipynb+json; charset=utf-8',
};

/**
 * Scripts, styles and requests of this host only. `wasm-unsafe-eval` lets the page compile the SIMD kernel that this
 * host serves; it does not allow `eval` of text.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every file. */
const SECURITY_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Names of assets have a hash of their content; everything else is revalidated each time. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/**
 * Reads a built site: `index.html` is served at its folder, other pages at their path without `.html`, everything else at its path.
 * @throws Error where the folder, an `index.html` or a compressed form of a file is missing, or the type of a file is unknown
 */
export async function readStaticSite(folder: URL): Promise<StaticSite> {
  const site = new Map<string, SiteFile>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter(each => each.isFile() && !isCompressed(each.name))) {
    const name = `${entry.parentPath}/${entry.name}`
      .slice(new URL(folder).pathname.length)
      .replace(/^\//, '');
    const type = TYPES[extname(name)];
    if (type === undefined) throw new Error(`${name} has an unknown content type`);
    const identity = await readFile(new URL(name, folder));
    const path = name.replace(/(^|\/)index\.html$|\.html$/, '$1');
    site.set(`/${path}`, {
      type,
      etag: `"${createHash('sha256').update(identity).digest('base64url')}"`,
      bodies: {
        identity,
        ...(PACKED_TYPES.has(extname(name)) ? {} : await compressedForms(new URL(name, folder))),
      },
      cacheControl: /(^|\/)assets\//.test(name) ? IMMUTABLE : REVALIDATE,
    });
  }
  if (![...site.keys()].some(path => path.endsWith('/')))
    throw new Error(`there is no index.html in ${folder.pathname}`);
  return site;
}

async function compressedForms(file: URL): Promise<Record<SiteEncoding, Buffer>> {
  const forms = SITE_ENCODINGS.map(
    async encoding => [encoding, await readFile(new URL(file.href + ENCODING_SUFFIXES[encoding]))] as const,
  );
  return Object.fromEntries(await Promise.all(forms)) as Record<SiteEncoding, Buffer>;
}

/** The middleware of every file of a site, by path. */
export const siteRoutes = (site: StaticSite): readonly (readonly [path: string, answer: Middleware])[] =>
  [...site].map(([path, file]) => [path, serving(file)] as const);

/** The middleware of one file. */
export function serving(file: SiteFile): Middleware {
  return async ctx => {
    ctx.set(SECURITY_HEADERS);
    ctx.set({ 'Cache-Control': file.cacheControl, ETag: file.etag, Vary: 'Accept-Encoding' });
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const forms = SITE_ENCODINGS.filter(form => file.bodies[form] !== undefined);
    const encoding = (ctx.acceptsEncodings(...forms, 'identity') || 'identity') as SiteEncoding | 'identity';
    if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
    ctx.type = file.type;
    ctx.body = file.bodies[encoding];
  };
}
