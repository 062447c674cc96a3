/** A page with the style sheet of the report, for a screen of any width and for A4. */
import { Html, html } from './html.ts';
import { INTER } from './typeface.ts';

/** @param foot title, and foot of each printed page */
export const page = (foot: string, body: Html): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:"><title>${foot}</title><style>${STYLE_SHEET}${new Html(footInMargin(foot))}</style></head><body>
<div class="sheet"><div>${body}</div><div class="foot-room"></div></div><div class="foot" aria-hidden="true">${foot}</div></body></html>
`.text;

/** Chromium alone has boxes in the margins of a page. @param foot may hold any character */
const footInMargin = (foot: string): string =>
  `@page { @bottom-left { content: "${foot.replace(/[^\w .,:-]/gu, each => `\\${each.codePointAt(0)?.toString(16)} `)}"; font: 8pt Inter, sans-serif; color: #566373; } }`;

/**
 * Chromium prints the foot of each page and its number into the margin. Firefox and WebKit print nothing there: they repeat an element at
 * a fixed place, and the empty foot of a table that all of the page is, which keeps the text above it and in Chromium does not. They
 * number pages in a line of their own.
 */
const STYLE_SHEET = new Html(`
/* Inter, (c) The Inter Project Authors, SIL Open Font License 1.1: https://openfontlicense.org */
${Object.entries(INTER)
  .map(
    ([weight, font]) =>
      `@font-face { font-family: Inter; font-weight: ${weight}; src: url(data:font/woff2;base64,${font}) format("woff2"); }`,
  )
  .join('\n')}
:root { --ink: #16202c; --soft: #566373; --rule: #d5dbe2; --main: #1d4f8c; --plain: #8fa9c6; --warm: #b8801f; --bad: #b3372f; --good: #2c7a4b; --pale: #f3f5f8; }
* { box-sizing: border-box; }
html { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; color: var(--ink); background: #fff; font: 15px/1.5 Inter, sans-serif; }
h1 { margin: 0; font-size: 1.7rem; line-height: 1.2; font-weight: 600; }
h2 { margin: 0 0 .5rem; padding-top: .5rem; border-top: 2px solid var(--ink); font-size: 1.2rem; font-weight: 600; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 1.6rem; align-items: start; } .pair > * { min-width: 0; } caption { text-align: left; } h3 { margin: 1.1rem 0 .3rem; font-size: 1rem; font-weight: 600; }
b, strong { font-weight: 600; }
p { margin: .5rem 0; max-width: 46rem; }
.meta { margin: .3rem 0 .8rem; color: var(--soft); font-size: .85rem; }
.synthetic { margin: 0 0 .8rem; padding: .4rem .8rem; border: 2px solid var(--warm); font-weight: 600; }
.loss { margin: 0 0 1rem; max-width: none; font-weight: 600; font-size: 1.3rem; line-height: 1.35; text-wrap: pretty; }
.keys { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 1rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.keys li { padding-top: .4rem; border-top: 2px solid var(--main); }
.keys b { display: block; font-size: 1.5rem; line-height: 1.3; white-space: nowrap; font-variant-numeric: tabular-nums; }
.keys span { display: block; color: var(--soft); font-size: .82rem; line-height: 1.35; }
.notes { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0 1.6rem; font-size: .92rem; }
.notes h3 { padding-top: .4rem; border-top: 1px solid var(--rule); }
section { margin-top: 2.2rem; }
figure { margin: .8rem 0; break-inside: avoid; }
figcaption, .small { color: var(--soft); font-size: .85rem; }
.scroll { overflow-x: auto; }
table { width: 100%; margin: .5rem 0; border-collapse: collapse; font-size: .86rem; font-variant-numeric: tabular-nums; }
th { text-align: left; vertical-align: bottom; border-bottom: 1.5px solid var(--ink); font-weight: 600; }
th, td { padding: .22rem .5rem .22rem 0; }
td { border-bottom: 1px solid var(--rule); vertical-align: top; }
td.n { white-space: nowrap; } :is(#stress, #models, #limits) td:first-child { min-width: 17rem; }
.n { text-align: right; padding-left: .4rem; }
td .small { font-size: inherit; }
.whole { white-space: nowrap; }
.keep { break-inside: avoid; }
tr { break-inside: avoid; }
code { font: .85em/1.4 ui-monospace, "Liberation Mono", monospace; overflow-wrap: anywhere; }
.ok { color: var(--good); } .close, .bad-text { color: #7a520a; } .breached { color: var(--bad); }
.ok, .close, .breached, .bad-text { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .6rem 0; font-size: .9rem; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
svg { display: block; width: 100%; max-width: 46rem; height: auto; font: 12px Inter, sans-serif; font-variant-numeric: tabular-nums; }
svg text { fill: var(--ink); } svg .name { text-anchor: end; } svg .tick { fill: var(--soft); }
svg rect.plain { fill: var(--plain); } svg rect.main { fill: var(--main); } svg rect.warm { fill: var(--warm); } svg rect.bad { fill: var(--ink); }
svg path { fill: none; stroke-width: 2.5; } svg path.plain { stroke: var(--plain); } svg path.main { stroke: var(--main); } svg path.warm { stroke: var(--warm); stroke-dasharray: 7 4; } svg path.bad { stroke: var(--ink); }
svg path.whisker { stroke: var(--ink); stroke-width: 1.3; } svg path.hit { stroke-width: 2; }
svg .grid { stroke: var(--rule); }
.foot, .foot-room { display: none; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; } h1 { font-size: 1.4rem; } .loss { font-size: 1.1rem; } .keys { grid-template-columns: 1fr 1fr; } }
@media print {
  @page { size: A4; margin: 12mm 15mm 8mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt Inter, sans-serif; color: #566373; } }
  html { font-size: 12.5px; } body { max-width: none; padding: 0; font-size: 9.2pt; line-height: 1.4; } p { margin: .4rem 0; max-width: none; }
  .sheet { display: table; width: 100%; } .foot-room { display: table-footer-group; height: 8mm; } .foot { display: block; position: fixed; bottom: 0; left: 0; font-size: 8pt; color: var(--soft); }
  @supports (-webkit-app-region: drag) { @page { margin-bottom: 16mm; } .foot-room, .foot { display: none; } }
  #credit { break-before: page; }
  section { margin-top: 1rem; } h3 { margin-top: .8rem; } .notes { gap: 0 2rem; } h2, h3, h2 + p, h3 + p { break-after: avoid; } p, dd, li { break-inside: avoid; } dl { font-size: 8pt; }
  .scroll { overflow: visible; } tbody tr:is(:nth-child(2), :nth-child(3), :last-child) { break-before: avoid; } table { font-size: 8pt; } thead { display: table-header-group; }
  .keys { grid-template-columns: repeat(4, 1fr); } .pair { grid-template-columns: 2fr 3fr; break-inside: avoid; } .notes { grid-template-columns: 1fr 1fr; }
  th, td { padding-top: .14rem; padding-bottom: .14rem; } td .small { font-size: 7.5pt; } section svg { max-width: 44rem; } .first svg { max-width: none; }
}
`);
