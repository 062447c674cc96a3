/** The page around a document: name, navigation, search, contents. Addresses are relative, so that a proxy may serve it under a path. */
import { groupBy } from '../reference-rows.mjs';
import { relativeAddress, slugOf } from './documents.mjs';
import { escaped, plainText } from './render.mjs';

/** @typedef {import('./documents.mjs').GuideDocument} GuideDocument */
/** @typedef {import('./render.mjs').Section} Section */
/** Addresses of assets below the guide. @typedef {{ readonly style: string, readonly script: string, readonly search: string }} Assets */

const PRODUCT = 'collateral-risk-engine';

/** Documents by group. @param {readonly GuideDocument[]} documents */
export const groupsOf = documents => groupBy(documents, ({ group }) => group);

const linkTo = (from, { page, title }) =>
  `<a href="${relativeAddress(from, page)}"${page === from ? ' aria-current="page"' : ''}>${escaped(title)}</a>`;

function navigation(documents, from) {
  const own = documents.find(({ page }) => page === from)?.group;
  return [...groupsOf(documents)]
    .map(([group, members], at) => {
      const isOpen = group === own || (own === undefined && at === 0);
      const items = members.map(each => `<li>${linkTo(from, each)}</li>`).join('');
      return `<details${isOpen ? ' open' : ''}><summary>${group}</summary><ul>${items}</ul></details>`;
    })
    .join('\n');
}

function contents(sections) {
  const shown = sections.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 3) return '';
  const items = shown.map(
    ({ depth, anchor, heading }) =>
      `<li class="depth-${depth}"><a href="#${anchor}">${escaped(heading)}</a></li>`,
  );
  return `<aside><details class="contents" open><summary>On this page</summary><ul>${items.join('')}</ul></details></aside>`;
}

/**
 * @param {{ readonly page: string, readonly title: string, readonly body: string, readonly sections: readonly Section[],
 *   readonly documents: readonly GuideDocument[], readonly assets: Assets }} parts
 */
export function pageOf({ page, title, body, sections, documents, assets }) {
  const to = name => relativeAddress(page, name);
  const root = '../'.repeat(page.split('/').length + 1);
  const markdown = page === 'index' ? '' : `<a href="${to(`${page}.md`)}">Markdown</a>`;
  const home = to('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} | ${PRODUCT}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to(assets.style)}">
<script src="${to(assets.script)}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${home}">${PRODUCT} <span>guide</span></a>
<div class="links"><a href="${root}">Console</a><a href="${root}docs">Interface</a>${markdown}</div>
</header>
<div class="columns">
<nav aria-label="Documents">
<search>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="words of the guide  ( / )"
 data-index="${to(assets.search)}" data-home="${home}">
<p id="found" role="status"></p>
<ol id="results"></ol>
</search>
<details class="all" open><summary>Documents</summary>
${navigation(documents, page)}
</details>
</nav>
${contents(sections)}
<main id="content">
${body}
</main>
</div>
</body>
</html>
`;
}

/** The list of all documents with their readers. @param {readonly GuideDocument[]} documents */
export function indexBody(documents) {
  const groups = [...groupsOf(documents)].map(([group, members]) => {
    const items = members.map(
      each =>
        `<li>${linkTo('index', each)}${each.readers === '' ? '' : `<p>${escaped(plainText(each.readers))}</p>`}</li>`,
    );
    return `<section><h2 id="${slugOf(group)}">${group}</h2><ul class="documents">${items.join('\n')}</ul></section>`;
  });
  return `<h1>Guide</h1>
<p>The documents of this version. <a href="../../llms.txt">llms.txt</a> lists them for programs; every page has a Markdown form.</p>
${groups.join('\n')}`;
}

/** The list of all documents for language models (llmstxt.org). @param {readonly GuideDocument[]} documents */
export function llmsText(documents) {
  const groups = [...groupsOf(documents)].map(([group, members]) => {
    const items = members.map(
      ({ page, title, readers }) =>
        `- [${title}](docs/guide/${page}.md)${readers === '' ? '' : `: ${plainText(readers)}`}`,
    );
    return `## ${group}\n\n${items.join('\n')}`;
  });
  const readme = documents.find(({ page }) => page === 'readme');
  const [, summary] = readme.text.split('\n\n');
  return `# ${PRODUCT}

> ${summary.replaceAll('\n', ' ')}

[openapi.json](openapi.json) describes the HTTP interface. The same documents are pages under docs/guide/, without the ending .md.

${groups.join('\n\n')}
`;
}
