/** Theme and search of the pages of the guide. */
const theme = localStorage.getItem('collateral-risk-console.theme');
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;

const LIMIT = 15;
const CONTEXT = 60;
const input = document.querySelector('#search');
const results = document.querySelector('#results');
const found = document.querySelector('#found');

if (matchMedia('(max-width: 1180px)').matches)
  for (const each of document.querySelectorAll('.contents')) each.open = false;
if (matchMedia('(max-width: 760px)').matches) document.querySelector('.all').open = false;

let index;
/** Sections of all pages, loaded at the first search. */
const sections = () => {
  index ??= fetch(input.dataset.index).then(response => response.json());
  return index;
};

const wordsOf = text => text.toLowerCase().split(/\s+/).filter(Boolean);

/** How well a section answers: words in its heading before those of its page, before those of its text; 0 where one is missing. */
function scoreOf({ title, heading, text }, words) {
  const places = [heading, title, text].map(each => each.toLowerCase());
  const weights = [9, 4, 1];
  let score = 0;
  for (const word of words) {
    const at = places.findIndex(each => each.includes(word));
    if (at < 0) return 0;
    score += weights[at];
  }
  return places[0] === words.join(' ') ? score + 20 : score;
}

/** The text around the words together, or around the first of them, with the words marked. */
function snippet(text, words) {
  const small = document.createElement('small');
  const lower = text.toLowerCase();
  const places = [words.join(' '), ...words].map(each => lower.indexOf(each)).filter(at => at >= 0);
  const first = places[0] ?? 0;
  const from = first <= CONTEXT ? 0 : text.indexOf(' ', first - CONTEXT) + 1;
  let at = from;
  const space = text.indexOf(' ', first + 2 * CONTEXT);
  const end = space < 0 ? text.length : space;
  if (from > 0) small.append('... ');
  while (at < end) {
    const next = words
      .map(word => ({ word, start: lower.indexOf(word, at) }))
      .filter(({ start }) => start >= 0 && start < end)
      .sort((a, b) => a.start - b.start || b.word.length - a.word.length)[0];
    if (next === undefined) break;
    const mark = document.createElement('mark');
    mark.textContent = text.slice(next.start, next.start + next.word.length);
    small.append(text.slice(at, next.start), mark);
    at = next.start + next.word.length;
  }
  small.append(text.slice(at, end));
  if (end < text.length) small.append(' ...');
  return small;
}

function resultOf({ page, anchor, title, heading, text }, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(`${page}#${anchor}`, new URL(input.dataset.home, location.href)).href;
  const name = document.createElement('strong');
  name.textContent = heading === title ? title : `${title}: ${heading}`;
  link.append(name, snippet(text, words));
  item.append(link);
  return item;
}

async function search() {
  const text = input.value;
  const words = wordsOf(text);
  if (words.length === 0) {
    results.replaceChildren();
    found.textContent = '';
    return;
  }
  const all = await sections();
  if (input.value !== text) return;
  const ranked = all
    .map(section => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  results.replaceChildren(...ranked.slice(0, LIMIT).map(({ section }) => resultOf(section, words)));
  const count = ranked.length;
  const shown = count > LIMIT ? `, the first ${LIMIT}` : '';
  found.textContent =
    count === 0 ? 'No section has all of these words.' : `${count} section${count === 1 ? '' : 's'}${shown}`;
}

input.addEventListener('input', search);
input.addEventListener('focus', sections, { once: true });
document.addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  }
});
