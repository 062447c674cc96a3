/**
 * Writes the pages of the guide, `dist/guide`: every document as HTML and as Markdown, the other files of docs, the index of the search
 * and llms.txt. `npm run build` runs it where a document has changed.
 *
 *   node docs/tools/make-guide.mjs
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compressSite } from '../../dist/server/transport/static-site.js';
import { guideDocuments, guideFiles, ROOT } from './guide/documents.mjs';
import { indexBody, llmsText, pageOf } from './guide/page.mjs';
import { renderDocument, servedMarkdown } from './guide/render.mjs';

/** Files at the paths of the server. */
const FOLDER = join(ROOT, 'dist/guide');
const PAGES = 'docs/guide';
const FONTS = 'node_modules/@fontsource/inter';

function write(name, content, folder = PAGES) {
  const path = join(FOLDER, folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Writes an asset whose name has a hash of its content; gives the name. */
function writeAsset(name, extension, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  const file = `assets/${name}-${hash}.${extension}`;
  write(file, content);
  return file;
}

/** The fonts and colours of the console, and what the pages of the guide have of their own. */
function styleSheet() {
  const console = readFileSync(join(ROOT, 'console/src/style.css'), 'utf8');
  const fonts = [400, 600].map(weight => {
    const content = readFileSync(join(ROOT, FONTS, `files/inter-latin-${weight}-normal.woff2`));
    const file = writeAsset(`inter-${weight}`, 'woff2', content).slice('assets/'.length);
    return `@font-face { font-family: Inter; font-weight: ${weight}; font-display: swap; src: url("${file}") format("woff2"); }`;
  });
  const blockOf = selector => {
    const start = console.indexOf(`${selector} {`);
    if (start < 0) throw new Error(`console/src/style.css has no block ${selector}`);
    return console.slice(console.indexOf('{', start), console.indexOf('}', start) + 1);
  };
  const dark = blockOf(':root[data-theme="dark"]');
  return [
    ...fonts,
    `:root ${blockOf(':root')}`,
    `:root[data-theme="dark"] ${dark}`,
    `@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) ${dark} }`,
    readFileSync(join(ROOT, 'docs/tools/guide/guide.css'), 'utf8'),
  ].join('\n');
}

rmSync(FOLDER, { recursive: true, force: true });
const documents = guideDocuments();
const rendered = documents.map(document => ({ document, ...renderDocument(document, documents) }));
const search = rendered.flatMap(({ document: { page, title }, sections }) =>
  sections.map(({ anchor, heading, text }) => ({ page, title, anchor, heading, text })),
);
const assets = {
  style: writeAsset('guide', 'css', styleSheet()),
  script: writeAsset('guide', 'js', readFileSync(join(ROOT, 'docs/tools/guide/guide.js'))),
  search: writeAsset('search', 'json', JSON.stringify(search)),
};
copyFileSync(join(ROOT, FONTS, 'LICENSE'), join(FOLDER, PAGES, 'assets/inter-licence.txt'));
for (const { document, html, sections } of rendered) {
  const { page, title } = document;
  write(`${page}.html`, pageOf({ page, title, body: html, sections, documents, assets }));
  write(`${page}.md`, servedMarkdown(document, documents));
}
write(
  'index.html',
  pageOf({ page: 'index', title: 'Guide', body: indexBody(documents), sections: [], documents, assets }),
);
write('llms.txt', llmsText(documents), '.');
for (const file of guideFiles()) write(file, readFileSync(join(ROOT, 'docs', file)));
await compressSite(pathToFileURL(`${FOLDER}/`));
