/**
 * Documents as HTML, as Markdown whose links lead to what the server serves, and as sections for the search.
 *
 * Takes: documents. Gives: text. No page has a style or a script of its own: the content security policy refuses both.
 */
import { Marked } from 'marked';
import { fencedBlocks } from '../examples.mjs';
import { relativeAddress, slugOf, targetOf } from './documents.mjs';

/** @typedef {import('./documents.mjs').GuideDocument} GuideDocument */

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** @param {string} text */
export const escaped = text => text.replace(/[&<>"']/g, character => ESCAPES[character]);

/**
 * What stands under a heading, without the marks of Markdown.
 * @typedef {{ readonly depth: number, readonly anchor: string, readonly heading: string, readonly text: string }} Section
 */

/** Words of Markdown without its marks. @param {string} raw */
export const plainText = raw =>
  raw
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[\s|:-]+$/gm, ' ')
    .replace(/[`*|#>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const isComment = ({ type, text }) => type === 'html' && text.startsWith('<!--');

/**
 * @param {GuideDocument} document
 * @param {readonly GuideDocument[]} documents
 * @returns {{ readonly html: string, readonly sections: readonly Section[] }}
 */
export function renderDocument(document, documents) {
  const markdown = new Marked({ gfm: true, async: false });
  const tokens = markdown.lexer(document.text);
  const anchors = anchorsOf(tokens);
  const renderer = {
    heading(token) {
      const { tokens, depth } = token;
      const anchor = anchors.get(token);
      const mark =
        depth === 1 ? '' : ` <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`;
      return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${mark}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      const { kind, to, hash } = targetOf(documents, document.file, href);
      if (kind === 'source')
        return `<span class="source" title="${escaped(to)} of the repository">${words}</span>`;
      if (kind === 'outside') return `<a href="${escaped(to)}" rel="noreferrer">${words}</a>`;
      const isHere = kind === 'page' && to === document.page;
      return `<a href="${escaped((isHere ? '' : relativeAddress(document.page, to)) + hash || '#')}">${words}</a>`;
    },
    image({ href, text }) {
      const { to } = targetOf(documents, document.file, href);
      const address = escaped(relativeAddress(document.page, to));
      return `<a class="picture" href="${address}"><img src="${address}" alt="${escaped(text)}" loading="lazy"></a>`;
    },
    // Documents have comments for the programs that write them, and no other HTML.
    html: token => (isComment(token) ? '' : escaped(token.text)),
    table(token) {
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table">${tableHtml(this.parser, token)}</div>\n`;
    },
    code: ({ text, lang }) =>
      `<pre tabindex="0"><code${lang ? ` class="language-${escaped(lang)}"` : ''}>${escaped(text)}</code></pre>\n`,
  };
  markdown.use({ renderer });
  return { html: markdown.parser(tokens), sections: sectionsOf(tokens, anchors) };
}

function tableHtml(parser, { header, rows }) {
  const cell = tag => each =>
    `<${tag}${each.align === 'right' ? ' class="number"' : ''}>${parser.parseInline(each.tokens)}</${tag}>`;
  const row = (cells, tag) => `<tr>${cells.map(cell(tag)).join('')}</tr>`;
  const body = rows.map(cells => row(cells, 'td')).join('\n');
  return `<table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table>`;
}

/** The anchor of each heading: a second one of the same words has a number. */
function anchorsOf(tokens) {
  const seen = new Map();
  const headings = tokens.filter(({ type }) => type === 'heading');
  return new Map(
    headings.map(token => {
      const slug = slugOf(token.text);
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return [token, count === 0 ? slug : `${slug}-${count}`];
    }),
  );
}

function sectionsOf(tokens, anchors) {
  const sections = [];
  for (const token of tokens) {
    if (token.type === 'heading')
      sections.push({
        depth: token.depth,
        anchor: anchors.get(token),
        heading: plainText(token.text),
        raw: '',
      });
    else if (!isComment(token) && sections.length > 0) sections.at(-1).raw += token.raw;
  }
  return sections.map(({ raw, ...section }) => ({ ...section, text: plainText(raw) }));
}

/**
 * The document with links to what the server serves; the words of a link to another file of the repository stand alone.
 *
 * @param {GuideDocument} document
 * @param {readonly GuideDocument[]} documents
 */
export function servedMarkdown(document, documents) {
  const blocks = fencedBlocks(document.text);
  const lines = document.text.split('\n');
  const starts = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const fenced = blocks.map(({ first, last }) => [starts[first], starts[last]]);
  return document.text.replace(
    /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g,
    (whole, mark, words, href, offset) => {
      if (fenced.some(([from, to]) => offset >= from && offset <= to)) return whole;
      const { kind, to, hash } = targetOf(documents, document.file, href);
      if (kind === 'outside') return whole;
      if (kind === 'source') return words;
      const isHere = kind === 'page' && to === document.page;
      const address = kind === 'page' && !isHere ? `${to}.md` : to;
      return `${mark}[${words}](${isHere ? hash : relativeAddress(document.page, address) + hash})`;
    },
  );
}
