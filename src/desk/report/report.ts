/** A result as one self-contained HTML file, for a screen and for A4 in print. */
import { limitsSentence } from '../limit-text.ts';
import { type DeskResult, headlineLevel } from '../result.ts';
import { ageSentence, hasNoCalls, sentencesOf } from '../sentences.ts';
import { counted, dayText, levelText, meanCount, percent, roughUsd } from '../words.ts';
import { bandsSection, concentrationSection, fallPicture } from './book-sections.ts';
import { callsSection } from './calls-section.ts';
import { compareSection } from './compare-section.ts';
import { creditSection } from './credit-section.ts';
import { type Html, html, NOTHING } from './html.ts';
import { limitsSection } from './limits-section.ts';
import { loansSection } from './loans-section.ts';
import { againSection, leftOutSection, warningsSection } from './notes-sections.ts';
import { type DescribedMethodology, modelsSection, salesSection } from './risk-sections.ts';
import { scenarioSection } from './scenario-section.ts';
import { stressSection } from './stress-section.ts';
import { page } from './style.ts';
import { tranchesSection } from './tranches-section.ts';

/** @param methodologies of the program */
export function reportHtml(result: DeskResult, methodologies: readonly DescribedMethodology[]): string {
  const { Title, Data } = result;
  const synthetic = Data.Synthetic ? ' · synthetic prices' : '';
  const foot = `${Title} · data as of ${dayText(Data.AsOf)}${synthetic}`;
  return page(
    foot,
    html`<header><h1>${Title}</h1>${metaLine(result)}${syntheticNote(result)}${ageNote(result)}</header>
<main>${firstPage(result)}
${limitsSection(result)}
${callsSection(result)}
${leftOutSection(result)}
${warningsSection(result)}
${compareSection(result)}
${modelsSection(result, methodologies)}
${scenarioSection(result)}
${stressSection(result)}
${salesSection(result)}
${creditSection(result)}
${tranchesSection(result)}
${bandsSection(result)}
${concentrationSection(result)}
${loansSection(result)}
${againSection(result)}
</main>`,
  );
}

/** What a reader of the first page alone must know of every figure. */
const LOSS_NOTE = html`<p class="small">A loss is debt that the sale of its collateral does not cover, the cost of the sale included. Where the collateral covers a loan at its maturity, or at the end of the horizon, there is none: defaults for reasons other than prices are in no figure, nor are the effect of sales on prices and failures of exchanges and custodians.</p>`;

const metaLine = ({ MadeAt, Data, Run }: DeskResult): Html =>
  html`<p class="meta">Data as of ${dayText(Data.AsOf)}. Made on ${MadeAt.slice(0, 16).replace('T', ' ')} UTC. Horizon: ${counted(Run.HorizonDays, 'day')}. Methodology: ${Run.Headline}, unless stated otherwise.</p>`;

const syntheticNote = ({ Data }: DeskResult): Html =>
  Data.Synthetic
    ? html`<p class="synthetic">Synthetic: the prices of the sample market are made up. No figure here is of a real market.</p>`
    : NOTHING;

function ageNote({ Data }: DeskResult): Html {
  const text = ageSentence(Data);
  return text === '' ? NOTHING : html`<p class="synthetic">${text}</p>`;
}

/** The answer, four figures, a picture, and what is out of limits, has changed or is not in the figures. */
function firstPage(result: DeskResult): Html {
  const { Compared } = result;
  const { loss, today, deadlines, worst, until, changes } = sentencesOf(result);
  const limits = limitsSentence(result.Limits);
  const words = (of: readonly string[]) => of.filter(each => each !== '').map(text => html`<p>${text}</p>`);
  return html`<div class="first"><p class="loss">${loss}</p>${keyFigures(result)}${fallPicture(result)}<div class="notes"><div><h3>Limits</h3>${limits === '' ? words([result.Limits === null ? 'No limits were given.' : 'All limits are kept.']) : html`<p class="breached">${limits}</p>`}</div><div><h3>The book today</h3>${words([...today, deadlines])}</div><div><h3>Scenarios</h3>${words([worst === '' ? (result.Stress === null ? 'No scenarios were computed.' : 'No scenario has a loss.') : worst, ...until])}</div>${Compared === null ? NOTHING : html`<div><h3>Since ${dayText(Compared.AsOf)}</h3>${words(changes)}</div>`}</div>${LOSS_NOTE}</div>`;
}

/** A value of 0 at a level is also the value of all less extreme periods. */
function keyFigures({ Run, Models, Today, Tape, Loans }: DeskResult): Html {
  const withoutCalls = hasNoCalls(Loans);
  const { Book } = Models[Run.Headline];
  const level = headlineLevel(Run);
  const days = counted(Run.HorizonDays, 'day');
  const figures: readonly (readonly [figure: string, words: string])[] = [
    [roughUsd(Today.LoanUsd), `USD lent in ${counted(Tape.Loans, 'loan')}, an LTV of ${percent(Today.Ltv)}`],
    [
      meanCount(Book.MarginCalls.Mean),
      `loans ${withoutCalls ? 'liquidated' : 'called'} within ${days}, on average; ${Today.Called + Today.Liquidated} ${withoutCalls ? 'beyond liquidation' : 'in call or beyond it'} today`,
    ],
    [
      roughUsd(Book.LossCVar[level]),
      `USD lost on average in the worst ${oddsOf(level)} periods; ${roughUsd(Book.ExpectedLoss)} in all of them`,
    ],
    [
      roughUsd(Book.PeakDay.Quantiles[level]),
      Book.PeakDay.Quantiles[level] === 0
        ? `USD sold by force in ${levelText(Number(level))} of periods`
        : `USD or more sold by force within 24 hours in ${oddsOf(level)} periods`,
    ],
  ];
  return html`<ul class="keys">${figures.map(([figure, words]) => html`<li><b>${figure}</b><span>${words}</span></li>`)}</ul>`;
}

/** `1 of 100` */
const oddsOf = (level: string) => `1 of ${Math.round(1 / (1 - Number(level)))}`;
