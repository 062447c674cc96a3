/**
 * The documents that the server shows, their pages, and where their links lead.
 *
 * A page has the address of its document relative to docs, without `.md`; documents elsewhere in the repository have a name of their own.
 * Takes: the repository. Gives: plain data.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Pages of documents that are not in docs. */
const ELSEWHERE = {
  'README.md': 'readme',
  'CHANGELOG.md': 'changelog',
  'src/README.md': 'source',
  'shaders/README.md': 'shaders',
  'client/README.md': 'typescript-client',
  'clients/python/README.md': 'python-client',
};

/** Pages by reader, in the order of the navigation; a page that no group names is in the last group. */
const GROUPS = {
  Begin: ['readme', 'choosing', 'glossary', 'console'],
  Lending: ['desk', 'lending', 'books', 'credit', 'tranches', 'stress', 'advance-rate', 'real-loans'],
  Perpetuals: ['accounts'],
  Models: ['model-document', 'methodology', 'verification', 'backtests', 'coverage'],
  Programs: [
    'reference',
    'batches-and-jobs',
    'python',
    'python-client',
    'typescript-client',
    'library',
    'agents',
    'repeat',
  ],
  Operations: ['operations', 'market-data', 'fleet', 'security', 'performance', 'changelog'],
  Source: ['source', 'shaders', 'extending', 'contributing'],
};
/** Groups of the folders of docs. */
const FOLDERS = { 'model-document': 'Models', decisions: 'Decisions' };
const OTHERS = 'More';

/**
 * A document: its path in the repository, the address of its page, the group of the navigation, title, readers and text.
 * @typedef {{ readonly file: string, readonly page: string, readonly group: string, readonly title: string,
 *   readonly readers: string, readonly text: string }} GuideDocument
 */

function groupOf(page) {
  const named = Object.entries(GROUPS).find(([, pages]) => pages.includes(page))?.[0];
  return named ?? FOLDERS[page.split('/')[0]] ?? OTHERS;
}

function readDocument(file, page) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const [title, readers = ''] = text.split('\n\n');
  const isReaders = /^\*.+\*$/s.test(readers.trim());
  return {
    file,
    page,
    group: groupOf(page),
    title: title.replace(/^# /, '').trim(),
    readers: isReaders ? readers.trim().slice(1, -1).replaceAll('\n', ' ') : '',
    text,
  };
}

/**
 * All documents, in the order of the navigation.
 * @returns {readonly GuideDocument[]}
 */
export function guideDocuments() {
  const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md') && !name.startsWith('tools/'))
    .sort()
    .map(name => readDocument(`docs/${name}`, name.slice(0, -'.md'.length)));
  const others = Object.entries(ELSEWHERE).map(([file, page]) => readDocument(file, page));
  const groups = [...new Set([...Object.keys(GROUPS), ...Object.values(FOLDERS), OTHERS])];
  const rank = ({ group, page }) => {
    const at = GROUPS[group]?.indexOf(page) ?? -1;
    return groups.indexOf(group) * 1000 + (at < 0 ? 999 : at);
  };
  return [...others, ...inDocs].sort((a, b) => rank(a) - rank(b));
}

/** Other files of docs that a page shows or offers, such as pictures and the tape of the examples. */
export const guideFiles = () =>
  readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => !name.endsWith('.md') && !name.startsWith('tools/'))
    .filter(name => statSync(join(ROOT, 'docs', name)).isFile())
    .sort();

/**
 * Where a link of a document leads: `page` of a document, `file` of docs, `index` of all, `outside` another host, `source` a file of the
 * repository that is not served.
 * @typedef {{ readonly kind: 'page' | 'file' | 'index' | 'outside' | 'source', readonly to: string, readonly hash: string }} LinkTarget
 */

/**
 * @param {readonly GuideDocument[]} documents
 * @param {string} file
 * @param {string} href
 * @returns {LinkTarget}
 */
export function targetOf(documents, file, href) {
  if (/^[a-z][a-z+.-]*:/i.test(href)) return { kind: 'outside', to: href, hash: '' };
  const [path, fragment] = href.split('#', 2);
  const hash = fragment === undefined ? '' : `#${fragment}`;
  const place = path === '' ? file : posix.join(posix.dirname(file), path).replace(/\/$/, '');
  const document = documents.find(each => each.file === place);
  if (document !== undefined) return { kind: 'page', to: document.page, hash };
  const folder = documents.find(each => posix.dirname(each.file) === place && place.startsWith('docs/'));
  if (folder !== undefined) return { kind: 'index', to: '', hash: `#${slugOf(folder.group)}` };
  const isServed = place.startsWith('docs/') && guideFiles().includes(place.slice('docs/'.length));
  return isServed
    ? { kind: 'file', to: place.slice('docs/'.length), hash }
    : { kind: 'source', to: place, hash };
}

/**
 * The anchor of a heading: small letters, without punctuation, blanks as hyphens.
 * @param {string} heading
 */
export const slugOf = heading =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/**
 * The address of a page or file, relative to that of another page.
 * @param {string} page
 * @param {string} to
 */
export function relativeAddress(page, to) {
  if (to === '') return '../'.repeat(page.split('/').length - 1) || './';
  const from = posix.dirname(page);
  // A page may have the name of the folder of its parts.
  return posix.relative(from === '.' ? '' : from, to) || `../${posix.basename(to)}`;
}
