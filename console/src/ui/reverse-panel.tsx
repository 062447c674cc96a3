/**
 * How far prices must fall until a figure of a book reaches a bound, by the member reverse of /stress: a sentence, figures of the forward
 * run, and the figure over falls.
 *
 * Takes: loans as rows of a book, the methodology, and other members of the request. Gives: a section of the page.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { headlineOf, USUAL } from '#core/figures/usual.ts';
import { changeOfAll } from '#src/desk/ask-stress.ts';
import { reachedWords, UNTIL_WORDS, type Until, untilScenario, untilSentence } from '#src/desk/until.ts';
import { roughUsd } from '#src/desk/words.ts';
import type { Refusal } from '../api/request.ts';
import { LinesChart } from './charts.tsx';
import { NumberInput } from './fields.tsx';
import { KeyFigures } from './figures.tsx';
import { compact, levelName, percent, whole } from './format.ts';
import { asRefusal, RefusalPanel } from './refusal-panel.tsx';
import { askScenarios, type ScenarioQuestion, type StressAnswer } from './scenario-question.ts';
import { ScenarioTable } from './scenario-table.tsx';
import { numberOf, PERCENT, PLAIN } from './typed-numbers.ts';
import { type ShownWarning, WarningNotice } from './warning-notice.tsx';

type Scenario = StressAnswer['Output']['Scenarios'][string];
type Word = keyof typeof UNTIL_WORDS;

/** A figure of a scenario by its word, with a name at a level and a usual bound. */
const FIGURES: Readonly<
  Record<
    Word,
    {
      readonly usual: number;
      label(level: string): string;
      of(each: Scenario, level: string): number | undefined;
    }
  >
> = {
  loss: { label: () => 'Expected loss', usual: 1e6, of: ({ Book }) => Book?.ExpectedLoss },
  lossvar: {
    label: level => `Loss at ${levelName(level)}`,
    usual: 1e6,
    of: ({ Book }, level) => Book?.LossVar[level],
  },
  losscvar: {
    label: level => `Mean loss beyond ${levelName(level)}`,
    usual: 1e6,
    of: ({ Book }, level) => Book?.LossCVar[level],
  },
  prloss: { label: () => 'Chance of any loss', usual: 0.5, of: ({ Book }) => Book?.PrLoss },
  unsold: {
    label: () => 'Expected loss if nothing is sold',
    usual: 1e6,
    of: ({ Book }) => Book?.Unsold.ExpectedLoss,
  },
  peakday: { label: () => 'Sold within 24 hours', usual: 1e6, of: ({ Book }) => Book?.PeakDay.Mean },
  ltv: { label: () => 'LTV of the book', usual: 0.9, of: ({ Ltv }) => Ltv },
  called: { label: () => 'Loans in margin call', usual: 1e6, of: ({ Called }) => Called.LoanUsd },
  liquidated: { label: () => 'Loans liquidated', usual: 1e6, of: ({ Liquidated }) => Liquidated.LoanUsd },
};

/** Falls of the chart. */
const FALLS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/** Of each of some 40 books. */
const MAX_PATHS = 5000;
const ALL = '';
const NAME = 'found';

interface Found {
  readonly until: Until;
  readonly answer: StressAnswer;
  readonly level: string;
}

export function ReversePanel(props: ScenarioQuestion & { readonly assets: readonly string[] }) {
  const { type, params, loans, seed, paths = MAX_PATHS, assets } = props;
  const word = useSignal<Word>('loss');
  const bound = useSignal(String(FIGURES.loss.usual));
  const falling = useSignal(ALL);
  const found = useSignal<Found | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const busy = useSignal(false);
  const question = JSON.stringify([type, params, loans, seed, paths, word.value, bound.value, falling.value]);
  useEffect(() => {
    found.value = undefined;
    refusal.value = undefined;
  }, [question]);
  const rule: { readonly unit: string; readonly hasLevel?: true } = UNTIL_WORDS[word.value];
  const isShare = rule.unit === 'share';
  const levels = (params.quantile as readonly number[] | undefined) ?? USUAL.levels;
  const level = headlineOf(levels.map(Number));

  const ask = async () => {
    busy.value = true;
    refusal.value = undefined;
    const until: Until = {
      text: NAME,
      word: word.value,
      bound: numberOf(bound.value) as number,
      ...(rule.hasLevel && { level }),
      ...(falling.value !== ALL && { assets: [falling.value] }),
    };
    const shock = (fall: number) =>
      falling.value === ALL ? changeOfAll(-fall, loans) : { [falling.value]: -fall };
    try {
      const scenarios = [
        { ...untilScenario(until, changeOfAll(1, loans)), name: NAME },
        ...FALLS.map(fall => ({ name: String(fall), price_shock: shock(fall) })),
      ];
      const asked = { ...props, paths: Math.min(Number(paths), MAX_PATHS) };
      const answer = await askScenarios(asked, scenarios, 'accuracy,warnings');
      found.value = { until, answer, level: String(level) };
    } catch (error) {
      refusal.value = asRefusal(error);
    }
    busy.value = false;
  };
  return (
    <section class="compare scenarios reverse" aria-label="How far must prices fall?">
      <h3>How far must prices fall before a figure reaches a bound?</h3>
      <div class="grid-2">
        <div class="field">
          <label for="reverse-figure">Figure</label>
          <select
            id="reverse-figure"
            value={word.value}
            onChange={event => {
              word.value = event.currentTarget.value as Word;
              bound.value = String(FIGURES[word.value].usual);
            }}
          >
            {(Object.keys(FIGURES) as Word[]).map(each => (
              <option key={each} value={each}>
                {FIGURES[each].label(String(level))}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="reverse-bound">
            Reaches <span class="hint">{isShare ? '%' : 'USD'}</span>
          </label>
          <NumberInput
            id="reverse-bound"
            held={bound.value}
            hold={held => {
              bound.value = held;
            }}
            scale={isShare ? PERCENT : PLAIN}
          />
        </div>
        <div class="field">
          <label for="reverse-falling">What falls</label>
          <select
            id="reverse-falling"
            value={falling.value}
            onChange={event => {
              falling.value = event.currentTarget.value;
            }}
          >
            <option value={ALL}>All prices, but currencies and stablecoins</option>
            {assets.map(asset => (
              <option key={asset} value={asset}>
                {asset} alone
              </option>
            ))}
          </select>
        </div>
        <button
          type="button"
          onClick={ask}
          disabled={busy.value || loans.length === 0 || typeof numberOf(bound.value) !== 'number'}
        >
          {busy.value ? 'Looking for the fall' : 'Find the fall'}
        </button>
      </div>
      {refusal.value !== undefined && <RefusalPanel refusal={refusal.value} retry={ask} />}
      {found.value !== undefined && <FoundFall found={found.value} loans={loans.length} />}
    </section>
  );
}

function FoundFall({ found, loans }: { readonly found: Found; readonly loans: number }) {
  const { until, answer, level } = found;
  const { base, [NAME]: then, ...falls } = answer.Output.Scenarios;
  const { Reverse: reverse } = then;
  if (reverse === undefined) return null;
  const { Fall: fall = null, Crossings, Low, High } = reverse;
  const figure = FIGURES[until.word];
  const isShare = UNTIL_WORDS[until.word].unit === 'share';
  const show = isShare ? percent : compact;
  const warnings = (answer as { Warnings?: readonly ShownWarning[] }).Warnings ?? [];
  const rows = [
    [0, base] as const,
    ...Object.entries(falls).map(([name, each]) => [Number(name), each] as const),
    ...(fall === null || fall === 0 ? [] : [[fall, then] as const]),
  ].sort(([a], [b]) => a - b);
  const label = figure.label(level);
  return (
    <div class="answer" data-fall={fall ?? 'none'}>
      <section class="headline" aria-label="The fall in words">
        <p class="first">{untilSentence(until, { Fall: fall, Crossings, Low, High })}</p>
      </section>
      {fall !== null && (
        <KeyFigures
          items={[
            {
              label: 'Fall',
              text: percent(fall),
              interval: Low === null || High === null ? '' : `${percent(Low)} to ${percent(High)}`,
            },
            { label: 'LTV of the book then', text: percent(then.Ltv), interval: `${percent(base.Ltv)} now` },
            {
              label: 'Loans liquidated at once',
              text: whole(then.Liquidated.Loans),
              interval: `of ${whole(loans)}, and ${whole(then.Called.Loans)} in margin call`,
            },
            {
              label: 'Expected loss after it, USD',
              text: then.Book == null ? 'no loan left' : compact(then.Book.ExpectedLoss),
              interval: base.Book == null ? '' : `${roughUsd(base.Book.ExpectedLoss)} now`,
            },
          ]}
        />
      )}
      <LinesChart
        title={`${label} after a fall`}
        x={rows.map(([at]) => at)}
        xText={{ label: 'fall', show: value => percent(value) }}
        yText={{ label: isShare ? 'share' : 'USD', show }}
        lines={[
          {
            label,
            values: rows.map(([, each]) => figure.of(each, level) ?? null),
            tone: 'accent',
          },
        ]}
        levels={[{ label: `bound: ${show(until.bound)}`, value: until.bound, tone: 'liquidation' }]}
        marks={fall === null ? [] : [{ label: percent(fall), value: fall, tone: 'nominal' }]}
        points
        wide
      />
      {warnings.map(warning => (
        <WarningNotice key={warning.message} {...warning} />
      ))}
      <details class="all-figures">
        <summary>The book as it is, and after this fall</summary>
        <ScenarioTable
          scenarios={[['base', base] as const, [NAME, then] as const]}
          titles={
            new Map([
              ['base', 'As prices are'],
              [NAME, fall === null ? 'The largest fall looked at' : `Fall of ${percent(fall)}`],
            ])
          }
          of={loans}
        />
      </details>
      <p class="hint">
        The smallest of the falls that were looked at such that {reachedWords(until)}; losses need not rise
        with every fall.
      </p>
    </div>
  );
}
