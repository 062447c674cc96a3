/** Sections on risk: methodologies side by side, and forced sales against the volume of the market. */
import { DOLLAR } from '../../text/symbols.ts';
import { NO_PARTS, partsLevel } from '../parts-level.ts';
import { type AssetVolume, type DeskResult, headlineLevel, type Judged } from '../result.ts';
import { hasNoCalls, sentencesOf } from '../sentences.ts';
import { judgedDays, verdictsOf } from '../verdict.ts';
import { levelText, meanCount, roughUsd, shareText, simulatedUsd } from '../words.ts';
import { figure, type Html, html, NOTHING, section, table } from './html.ts';
import { warningList } from './notes-sections.ts';
import { bars, marks, WHISKERS } from './pictures.ts';

export interface DescribedMethodology {
  readonly name: string;
  /** What it assumes of prices, in a few words. */
  readonly assumption: string;
}

export function modelsSection(result: DeskResult, methodologies: readonly DescribedMethodology[]): Html {
  const { Run, Models, Backtest } = result;
  const assumptionOf = (type: string) => methodologies.find(({ name }) => name === type)?.assumption ?? '';
  const level = headlineLevel(Run);
  const { spread, unsold } = sentencesOf(result);
  const rows = Run.Types.map(type => {
    const { Book } = Models[type];
    return [
      html`<b>${type}</b> <span class="small">${assumptionOf(type)}</span>`,
      meanCount(Book.MarginCalls.Mean),
      simulatedUsd(Book.ExpectedLoss),
      simulatedUsd(Book.LossVar[level]),
      simulatedUsd(Book.LossCVar[level]),
      simulatedUsd(Book.Unsold.LossCVar[level]),
      simulatedUsd(Book.PeakDay.Quantiles[level]),
    ];
  });
  const at = levelText(Number(level));
  return section(
    'models',
    'Methodologies side by side',
    html`<p>The same loans and the same random numbers under each methodology. Differences come from the assumptions on prices; intervals of sampling do not cover them. ${spread} ${unsold}</p>`,
    figure(
      bars(
        `Mean loss beyond ${at} by methodology`,
        Run.Types.map(type => ({
          name: type,
          value: Models[type].Book.LossCVar[level],
          label: `${roughUsd(Models[type].Book.LossCVar[level])} USD`,
          interval: Models[type].Accuracy[`LossCVar ${level}`],
          tone: type === Run.Headline ? 'main' : 'plain',
        })),
      ),
      `Mean loss of the book beyond its ${at} level, USD. ${WHISKERS}`,
    ),
    table(
      [
        'Methodology',
        `Loans ${hasNoCalls(result.Loans) ? 'liquidated' : 'called'}, mean`,
        'Expected loss, USD',
        `Loss at ${at}, USD`,
        `Mean beyond, USD`,
        'Mean beyond if nothing is sold, USD',
        `Sold in 24 h at ${at}, USD`,
      ],
      rows,
    ),
    warningList(result, 'losses'),
    Backtest === null ? NOTHING : backtestPart(result, Backtest),
  );
}

function backtestPart(result: DeskResult, { Basket, Models }: NonNullable<DeskResult['Backtest']>): Html {
  const { Run, Data } = result;
  const { objection } = sentencesOf(result);
  const judged = Run.Types.filter(type => Models[type] !== undefined);
  const [first] = judged;
  if (first === undefined) return NOTHING;
  const basket = Object.entries(Basket)
    .map(([asset, share]) => `${shareText(share)} ${asset}`)
    .join(', ');
  return html`<div class="keep"><h3>Back-test</h3><p>The value of the collateral as it is today (${basket}), a day ahead, ${judgedDays(Models[first])}: the number of days with a loss beyond the level.${Data.Synthetic ? ' The prices are synthetic, and so is the verdict.' : ''} ${objection}</p>${hitsPicture(judged, Models)}</div>${table(
    ['Methodology', 'Back-test'],
    judged.map(type => [
      html`<b>${type}</b>`,
      verdictsOf(Models[type]).map(
        ({ text, isObjection }) => html`<div${isObjection ? html` class="bad-text"` : NOTHING}>${text}</div>`,
      ),
    ]),
    { firstNumber: 2 },
  )}<p class="small">An objection is a p-value below 0.05 of Kupiec's test (number of days) or of the test Z2 (size of the losses beyond the level). Few days give few objections. docs/backtests.md has longer back-tests of BTC, ETH and SOL.</p>`;
}

/** The days beyond the innermost and the outermost level, by methodology. */
function hitsPicture(judged: readonly string[], models: Readonly<Record<string, Judged>>): Html {
  const { From, To, Levels } = models[judged[0]];
  const [inner, ...others] = Object.keys(Levels).sort((a, b) => Number(a) - Number(b));
  const outer = others.at(-1);
  const [first, last] = [From, To].map(day => Date.parse(day));
  const placed = (days: readonly string[]) =>
    days.map(day => (Date.parse(day) - first) / (last - first || 1));
  const rows = judged.map(type => {
    const far = outer === undefined ? [] : models[type].Levels[outer].Days;
    const near = models[type].Levels[inner].Days;
    const label = outer === undefined ? `${near.length}` : `${near.length}, ${far.length} of them far`;
    return { name: type, label, low: placed(near.filter(day => !far.includes(day))), high: placed(far) };
  });
  return figure(
    marks('Days with a loss beyond the level', rows, [From, To]),
    `Days with a loss beyond ${levelText(Number(inner))}${outer === undefined ? '' : `; far, and dark, beyond ${levelText(Number(outer))}`}. Marks that crowd are losses that follow each other.`,
  );
}

export function salesSection(result: DeskResult): Html {
  const { Run, Models, Data, Today } = result;
  const level = headlineLevel(Run);
  const parts = partsLevel(result);
  const { Assets, PeakDay } = Models[Run.Headline].Book;
  const isKnown = Object.keys(Data.Volumes).length > 0;
  const rows = Today.Assets.map(({ Name }) => {
    const sold = (parts && Assets[Name]?.PeakDayCVar[parts.key]) ?? 0;
    const volume = Data.Volumes[Name] ?? null;
    return { Name, sold, volume, share: volume === null ? null : sold / volume.MedianDailyUsd };
  });
  return section(
    'sales',
    'Forced sales against the market',
    html`<p>On the worst day of the worst ${levelText(1 - Number(level))} of periods ${roughUsd(PeakDay.CVar[level])} USD of collateral is sold within 24 hours, on average. ${sentencesOf(result).sales} A sale that is large against a day's trade moves the price further; the figures do not include this.</p>`,
    table(
      [
        'Asset',
        `Sold in 24 h beyond ${parts === null ? 'no level' : levelText(Number(parts.key))}, USD`,
        'Median traded a day, USD',
        'Share of that',
        'Markets',
      ],
      rows.map(({ Name, sold, volume, share }) => [
        Name,
        parts === null ? '' : simulatedUsd(sold),
        volume === null ? (Name === DOLLAR || !isKnown ? '' : 'none') : roughUsd(volume.MedianDailyUsd),
        share === null ? '' : html`<span class="${share > 0.2 ? 'bad-text' : ''}">${shareText(share)}</span>`,
        volume === null ? '' : volume.Markets.length,
      ]),
    ),
    html`<p class="small">${[
      parts === null ? NO_PARTS : `Sold: the mean beyond ${parts.words}.`,
      ...(isKnown ? tradedSentences(rows) : ['This report has no traded volumes.']),
    ].join(' ')}</p>`,
  );
}

/** What the volumes are, and why some are not there. */
function tradedSentences(
  rows: readonly { readonly Name: string; readonly volume: AssetVolume | null }[],
): readonly string[] {
  const volume = rows.find(each => each.volume !== null)?.volume ?? null;
  const isMissing = rows.some(each => each.volume === null && each.Name !== DOLLAR);
  return [
    ...(volume === null
      ? []
      : [
          `Traded: the median of ${volume.Days} days, summed over the spot markets with volumes on every day in the store.`,
        ]),
    ...(isMissing ? ['None: the store lacks such a volume.'] : []),
    ...(rows.length > 1 ? ['The sampling error of one asset is not known.'] : []),
    ...(rows.some(({ Name }) => Name === DOLLAR) ? ['Dollars need no market.'] : []),
  ];
}
