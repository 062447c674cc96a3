/**
 * The description of the interface: /openapi.json for programs, /docs for people. Neither needs a key.
 *
 * The viewer is Swagger UI, served from this host: the page may load files from this host only.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writtenDescription } from '../openapi/written.ts';
import type { Context, Middleware } from '../transport/context.ts';
import { packed, takesGzip } from '../transport/gzip.ts';

const OPENAPI_PATH = '/openapi.json';
const DOCS_PATH = '/docs';

/** Only scripts, styles and requests of this host. React sets styles by script. */
const VIEWER_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>collateral-risk-engine: interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/start.js" defer></script>
</head>
<body><div id="viewer">The viewer needs JavaScript. The description itself: <a href="openapi.json">openapi.json</a>.</div></body>
</html>
`;

// No validator: otherwise the viewer would send the address of this document to an external service.
const START = `SwaggerUIBundle({
  url: new URL('openapi.json', location.href).href,
  dom_id: '#viewer',
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  syntaxHighlight: { activated: true },
});
`;

/** Files of the viewer, which the build copies to the compiled program (scripts/build.mjs). */
const VIEWER_FILES = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' };

/** The text of openapi.json with the version of this server. */
function documentText(hasPlans: boolean, version: string): string {
  const document = writtenDescription(hasPlans);
  return JSON.stringify({ ...document, info: { ...(document.info as object), version } });
}

/** The descriptions of the interface by path. */
export function descriptionRoutes(
  hasPlans: boolean,
  version: string,
): readonly (readonly [path: string, answer: Middleware])[] {
  const file = (name: string) => once(() => readFile(new URL(`docs-viewer/${name}`, import.meta.url)));
  return [
    [
      OPENAPI_PATH,
      answering(
        'application/json',
        once(() => documentText(hasPlans, version)),
      ),
    ],
    [DOCS_PATH, answering('text/html', () => PAGE)],
    [`${DOCS_PATH}/start.js`, answering('text/javascript', () => START)],
    ...Object.entries(VIEWER_FILES).map(
      ([name, type]) => [`${DOCS_PATH}/${name}`, answering(type, file(name))] as const,
    ),
  ];
}

const answering =
  (type: string, content: () => string | Buffer | Promise<Buffer>): Middleware =>
  async ctx => {
    const plain = await content();
    const body = takesGzip(ctx) ? await packedOnce(ctx, plain) : plain;
    ctx.set({ 'Content-Security-Policy': VIEWER_POLICY, 'Cache-Control': 'no-cache', ETag: etagOf(body) });
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      // A 304 has no content that is encoded (RFC 9110, 15.4.5).
      ctx.remove('Content-Encoding');
      return;
    }
    ctx.body = body;
    ctx.type = type;
  };

const packedContents = new Map<string | Buffer, Buffer>();

/** A content in gzip, which is one of few and never changes. */
async function packedOnce(ctx: Context, content: string | Buffer): Promise<Buffer> {
  const known = packedContents.get(content) ?? Buffer.from(await packed(ctx, content));
  packedContents.set(content, known);
  ctx.set('Content-Encoding', 'gzip');
  return known;
}

const etags = new Map<string | Buffer, string>();

/** The tag of a content, which is one of few and never changes. */
function etagOf(content: string | Buffer): string {
  const known = etags.get(content) ?? `"${createHash('sha256').update(content).digest('base64url')}"`;
  etags.set(content, known);
  return known;
}

/** The value of `make`, made at the first call. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
