/** Pieces of HTML, with escaped text. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text; a number stays on the line of its unit. */
const escaped = (text: string): string =>
  text
    .replace(/[&<>"']/g, character => ESCAPES[character])
    .replace(/(\d) (?=(?:%|USD)(?![a-z]))/g, '$1&nbsp;');

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(textOf).join('') : escaped(String(part));
}

/** A template; values are escaped unless they are HTML. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, k) => (k < parts.length ? text + textOf(parts[k]) : text)).join(''));

export const NOTHING = html``;

/** Letters of a name that stays on one line. */
const MAX_WHOLE = 16;

/** Most rows of a table that a page break does not split. */
const MAX_KEPT = 6;

/**
 * A table that scrolls on a narrow screen.
 *
 * @param title heading of the table, which no page break parts from its rows in any browser, as the table has it as caption
 * @param firstNumber first column of numbers, which are aligned right
 * @param without names of columns that are left out
 */
export function table(
  names: readonly Part[],
  rows: readonly (readonly Part[])[],
  {
    title = '',
    firstNumber = 1,
    without = [],
  }: { readonly title?: string; readonly firstNumber?: number; readonly without?: readonly Part[] } = {},
): Html {
  const side = (k: number) => (k >= firstNumber ? html` class="n"` : NOTHING);
  const shown = [...names.keys()].filter(k => !without.includes(names[k]));
  const head = shown.map(k => html`<th scope="col"${side(k)}>${names[k]}</th>`);
  const body = rows.map(row => html`<tr>${shown.map(k => html`<td${side(k)}>${row[k]}</td>`)}</tr>`);
  const caption = title === '' ? NOTHING : html`<caption><h3>${title}</h3></caption>`;
  const isShort = rows.length <= MAX_KEPT;
  return html`<div class="${isShort ? 'scroll keep' : 'scroll'}"><table>${caption}<thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** A name on one line, unless it is long. */
export const whole = (name: string): Html =>
  html`<span class="${name.length > MAX_WHOLE ? '' : 'whole'}">${name}</span>`;

/** A heading stays on the page of its first part: Firefox does not keep it there by itself. */
export const section = (id: string, title: string, first: Part, ...parts: readonly Part[]): Html =>
  html`<section id="${id}"><div class="keep"><h2>${title}</h2>${first}</div>${parts}</section>`;

export const figure = (picture: Html, caption: Part): Html =>
  html`<figure>${picture}<figcaption>${caption}</figcaption></figure>`;
