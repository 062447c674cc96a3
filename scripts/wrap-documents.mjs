/**
 * Wraps the prose of docs/ at 100 characters: paragraphs and list items that have a longer line are filled again.
 *
 *   node scripts/wrap-documents.mjs
 *
 * Fenced and indented blocks, tables, headings, comments and what stands between `<!-- name ... -->` and `<!-- /name -->`
 * stay as they are; a code span or a link is never broken, so a line may be as long as one of them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WIDTH = 100;

/** The documents that are wrapped, as paths relative to the repository. */
export const wrappedDocuments = () =>
  readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name))
    .sort();

const FENCE = /^\s*(`{3,}|~{3,})/;
const ITEM = /^( *)([-*]|\d+\.) +/;
/** A line that is no prose: a heading, a table, a comment, a caption of a table. */
const APART = /^\s*(#{1,6} |\||<!--|\*[^*]+\*$)/;
/** What must not stand at the beginning of a line, where it would begin a list, a quotation, a heading or a table. */
const MARKUP = /^([-+*>|]|#+|\d+[.)]|=+)$/;

/** Words of a paragraph; a code span or a link is one of them, with what touches it. */
function wordsOf(text) {
  const pieces = text.match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+/g) ?? [];
  const words = [];
  for (const piece of pieces) {
    const word = piece.replaceAll(/\s+/g, ' ');
    if (words.length > 0 && MARKUP.test(word)) words.push(`${words.pop()} ${word}`);
    else words.push(word);
  }
  return words;
}

/** A paragraph or list item as lines of at most `WIDTH` characters, unless a word is longer. */
function filled(lines) {
  const [, indent = '', mark] = ITEM.exec(lines[0]) ?? [];
  const first = mark === undefined ? (/^ */.exec(lines[0])?.[0] ?? '') : `${indent}${mark} `;
  const further = ' '.repeat(first.length);
  const [head, ...rest] = lines;
  const result = [];
  let line = '';
  for (const word of wordsOf([head.slice(first.length), ...rest].join('\n'))) {
    const start = result.length === 0 ? first : further;
    if (line === '') line = start + word;
    else if (line.length + 1 + word.length <= WIDTH) line += ` ${word}`;
    else {
      result.push(line);
      line = further + word;
    }
  }
  return [...result, line];
}

/** Paragraphs and other pieces of a text: their lines, and whether they are prose. */
function piecesOf(text) {
  const pieces = [];
  let fence;
  let closing;
  for (const line of text.split('\n')) {
    const last = pieces.at(-1);
    const opened = fence ?? FENCE.exec(line)?.[1];
    const block = /^<!-- (\w+)\b.*-->$/.exec(line)?.[1];
    if (opened !== undefined) {
      if (fence === undefined) fence = opened;
      else if (line.trim() === fence) fence = undefined;
      pieces.push({ prose: false, lines: [line] });
    } else if (closing !== undefined) {
      if (line === closing) closing = undefined;
      pieces.push({ prose: false, lines: [line] });
    } else if (line.trim() === '' || APART.test(line)) {
      if (block !== undefined && text.includes(`\n<!-- /${block} -->`)) closing = `<!-- /${block} -->`;
      pieces.push({ prose: false, lines: [line] });
    } else if (last?.prose && !ITEM.test(line)) last.lines.push(line);
    else pieces.push({ prose: ITEM.test(line) || !line.startsWith('    '), lines: [line] });
  }
  return pieces;
}

/** The text with its prose wrapped; a paragraph without a long line stays as it is. */
export function wrapped(text) {
  const isLong = line => line.length > WIDTH;
  return piecesOf(text)
    .flatMap(({ prose, lines }) => (prose && lines.some(isLong) ? filled(lines) : lines))
    .join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of wrappedDocuments()) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const written = wrapped(text);
    if (written === text) continue;
    writeFileSync(join(ROOT, path), written);
    console.log(`${path}: wrapped`);
  }
}
