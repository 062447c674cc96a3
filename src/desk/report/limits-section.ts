import {
  errorText,
  intervalText,
  limitInWords,
  limitWords,
  usedShare,
  valueText,
  whyUnknown,
} from '../limit-text.ts';
import type { DeskResult, JudgedLimit } from '../result.ts';
import { counted, grouped, listed } from '../words.ts';
import { type Html, html, NOTHING, section, table, whole } from './html.ts';

const WORDS: Readonly<Record<JudgedLimit['Status'], string>> = {
  ok: 'ok',
  close: 'close',
  breached: 'breached',
  unknown: 'not known',
};
const ORDER: readonly JudgedLimit['Status'][] = ['breached', 'unknown', 'close', 'ok'];
const MAX_NAMES = 8;

export function limitsSection({ Limits }: DeskResult): Html {
  if (Limits === null) return NOTHING;
  const sorted = [...Limits].sort((a, b) => ORDER.indexOf(a.Status) - ORDER.indexOf(b.Status));
  const of = (status: JudgedLimit['Status']) => Limits.filter(({ Status }) => Status === status).length;
  return section(
    'limits',
    'Limits',
    html`<p>${of('breached') === 0 ? 'No limit is breached.' : html`<span class="breached">${counted(of('breached'), 'limit')} of ${Limits.length} ${of('breached') === 1 ? 'is' : 'are'} breached.</span>`} ${of('close') === 0 ? '' : `${counted(of('close'), 'limit')} ${of('close') === 1 ? 'is' : 'are'} close: at 90 % of the bound or more.`} ${of('unknown') === 0 ? '' : html`<span class="breached">${counted(of('unknown'), 'limit')} cannot be judged.</span>`}</p>`,
    table(
      ['Limit', 'Status', 'Worst', 'Value', 'Bound', 'Used'],
      sorted.map(each => [
        html`${limitInWords(each)}<div class="small">${limitWords(each)}</div>${breaching(each)}`,
        html`<span class="${each.Status === 'unknown' ? 'breached' : each.Status}">${WORDS[each.Status]}</span>${remark(errorText(each))}`,
        each.Of === null ? '' : whole(each.Of),
        each.Value === null ? '' : html`${valueText(each, each.Value)}${remark(intervalText(each))}`,
        valueText(each, each.Bound),
        usedText(usedShare(each)),
      ]),
      { firstNumber: 3 },
    ),
    Limits.some(({ Interval }) => Interval !== null)
      ? html`<p class="small">Limits are judged on the value. Below it is its interval of sampling (95 %); within the error of the limit: the interval reaches over the bound, and another seed may judge otherwise. The error is not known where too few paths reach the figure, where a replay draws the answers of borrowers, and for one of several assets in the sales of a day, unless the sales of all of them keep to the limit. The loss of a replay without such draws has none. More --paths make intervals narrower.</p>`
      : NOTHING,
  );
}

const usedText = (share: number | undefined): string =>
  share === undefined ? '' : `${grouped(Math.floor(100 * share), 0)} %`;

const remark = (text: string): Html => (text === '' ? NOTHING : html`<div class="small">${text}</div>`);

function breaching(limit: JudgedLimit): Html {
  const { Breaching } = limit;
  const why = whyUnknown(limit);
  const lists: Html[] = [];
  if (Breaching.length > 1)
    lists.push(html`<div class="small">Beyond the bound: ${listed(Breaching, MAX_NAMES)}</div>`);
  if (why !== '') lists.push(html`<div class="small">${why[0].toUpperCase()}${why.slice(1)}</div>`);
  return html`${lists}`;
}
