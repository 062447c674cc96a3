/** Sections on the figures: loans left out, decisions, warnings, reproduction. */
import { type WarningTopic, warningTopic } from '../../core/warnings.ts';
import { placesText } from '../../tape/fault-groups.ts';
import { COMMAND_WORDS, remedyText } from '../../tape/remedies.ts';
import { leftOutGroups, leftOutLoans } from '../left-out.ts';
import type { DeskResult } from '../result.ts';
import { factsOf } from '../sentences.ts';
import { counted, dayText, grouped, listed, percent } from '../words.ts';
import { type Html, html, NOTHING, section, table } from './html.ts';

const MAX_KINDS = 50;
const MAX_IDS = 30;

/** The warnings on a topic, an item each, with their methodologies. */
const warningItems = ({ Warnings }: Pick<DeskResult, 'Warnings'>, topic: WarningTopic): Html[] =>
  Warnings.filter(({ Code }) => warningTopic(Code) === topic).map(
    ({ Message, Models }) => html`<li>${Message} <span class="small">(${Models.join(', ')})</span></li>`,
  );

/** The same as a list; nothing where there are none. */
export function warningList(result: Pick<DeskResult, 'Warnings'>, topic: WarningTopic): Html {
  const items = warningItems(result, topic);
  return items.length === 0 ? NOTHING : html`<ul class="warnings">${items}</ul>`;
}

export function leftOutSection({ Tape }: DeskResult): Html {
  if (Tape.LeftOut.length === 0) return NOTHING;
  const loans = leftOutLoans(Tape);
  const groups = leftOutGroups(Tape);
  const more = groups.length - MAX_KINDS;
  return section(
    'left-out',
    `Not in the figures: ${counted(loans.length, 'loan')}`,
    html`<p>These loans have faults in the tape and were left out (--skip-faulty). No figure of this report includes them: ${listed(loans, MAX_IDS)}.</p>`,
    table(
      ['Rows', 'What is wrong in the first', 'What to do', 'First rows'],
      groups
        .slice(0, MAX_KINDS)
        .map(({ first: { column, message, remedy }, all }) => [
          grouped(all.length, 0),
          column === undefined ? message : `${column}: ${message}`,
          remedyText(remedy, COMMAND_WORDS),
          placesText(all),
        ]),
      { firstNumber: 4 },
    ),
    html`<p>${more > 0 ? `${counted(more, 'more kind')} of faults ${more === 1 ? 'is' : 'are'} not shown. ` : ''}The JSON has every fault with its row.</p>`,
  );
}

export function warningsSection(result: DeskResult): Html {
  const items = [...warningItems(result, 'all'), ...factsOf(result).map(text => html`<li>${text}</li>`)];
  return items.length === 0 ? NOTHING : section('warnings', 'Notes on the figures', html`<ul>${items}</ul>`);
}

export function againSection({ Run, Models, Data, Tape }: DeskResult): Html {
  const undrawn = Run.Types.filter(type => Models[type].Paths === null);
  const paths = undrawn.length === Run.Types.length ? [] : [`${grouped(Run.Paths, 0)} paths`];
  const facts: readonly (readonly [name: string, value: string | Html])[] = [
    ['Command', html`<code>${Run.Command}</code>`],
    ['Program', `collateral-risk-engine ${Run.Version}`],
    ['Market data', `${Data.Market}${Data.Synthetic ? ' (synthetic prices)' : ''}, to ${dayText(Data.AsOf)}`],
    [
      'Tape',
      html`${Tape.File}, ${grouped(Tape.Rows, 0)} rows, ${counted(Tape.Loans, 'loan')} computed${Tape.Sha256 === '' ? '' : html`; SHA-256 <code>${Tape.Sha256}</code>`}`,
    ],
    [
      'Methodologies',
      [
        Run.Types.join(', '),
        `fitted to ${Run.LookbackDays} days`,
        ...paths,
        ...undrawn.map(type => `${type} has the windows of these days, and draws none`),
        `seed ${Run.Seed}`,
      ].join('; '),
    ],
    [
      'Sales',
      `${Run.SaleDelayHours} hours after a liquidation or closeout, at a cost of ${percent(Run.SaleCost)}`,
    ],
    [
      'Prices, USD',
      Object.entries(Data.Prices)
        .map(([asset, price]) => `${asset} ${price.toPrecision(8).replace(/\.?0+$/, '')}`)
        .join(', '),
    ],
  ];
  return section(
    'again',
    'How to reproduce this report',
    html`<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`,
    html`<p class="small">The same tape, version of the program, market data and seed give the same figures. Intervals cover the sampling error, not the choice of a methodology.</p>`,
  );
}
