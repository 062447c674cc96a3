/** /cross_perp_risk: an account of perpetuals on common collateral, its positions from a table of text. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '#core/errors.ts';
import { type PositionTable, positionsOf } from '#src/tape/account-positions.ts';
import { postOperation } from '../api/request.ts';
import { isOfPosition, type OperationBody } from '../compute/answer.ts';
import type { MedianEnd } from '../compute/plan-details.ts';
import type { Fields } from '../state/address.ts';
import { symbols } from '../state/server.ts';
import { AccountsTable, MarginBar, PositionsTable } from '../ui/account-tables.tsx';
import { FanChart, HistogramChart, type Line, LinesChart } from '../ui/charts.tsx';
import { fanOf } from '../ui/distributions.ts';
import { type FormContext, NumberField, PercentField, TextField } from '../ui/fields.tsx';
import { plain } from '../ui/format.ts';
import { inWords } from '../ui/member-words.ts';
import { numberOf } from '../ui/typed-numbers.ts';
import { WeightsField, weightMap } from '../ui/weights.tsx';
import { type AccountResults, accountSentences } from '../words/account.ts';
import { type BelowContext, type OperationDefinition, OperationView } from './operation-view.tsx';
import {
  analysisDate,
  DateField,
  LookbackField,
  MethodologyField,
  ShockField,
  simulationParams,
  USUAL_MODEL,
} from './shared.tsx';

const MAX_PATHS = 1_000_000;
const SAMPLE = `market,contract_type,position_size,entry_price,funding_rate
BTC,linear,6,65000,0.0001
ETH,linear,-150,2500,0.0001`;
/** Tones of the lines of prices, in turn. */
const TONES = ['accent', 'recovery', 'marginCall', 'nominal'] as const;
/** Paths of the comparisons. */
const COMPARED_PATHS = 20_000;

/** The rows of the text of a form, or what is wrong with them. */
function rowsOf(text: string): { rows: PositionTable['positions']; faults: readonly string[] } {
  try {
    return { rows: positionsOf(text).positions, faults: [] };
  } catch (error) {
    return { rows: [], faults: messageOf(error).split('\n') };
  }
}

const bodyOf = (fields: Fields, positions: readonly object[], paths: number) => ({
  type: fields.type,
  params: {
    collateral: weightMap(fields.cu),
    positions,
    venue: fields.venue,
    ...analysisDate(fields),
    model_lookback: numberOf(fields.lookback),
    horizon_hours: numberOf(fields.hours),
    slippage: numberOf(fields.slippage),
    margin_call_ratio: numberOf(fields.ratio),
    ...simulationParams(fields, paths),
  },
});

/** Prices of the assets at the start. */
const marksOf = ({ Arguments }: OperationBody) =>
  (Arguments.prices ?? {}) as Readonly<Record<string, number>>;

const resultsOf = ({ Results }: { readonly Results?: unknown }) => Results as AccountResults;

/** The positions as text, one a line. */
function PositionsField({ form }: { form: FormContext }) {
  const { faults } = rowsOf(form.fields.positions);
  return (
    <div class="field spread">
      <label for="field-positions">
        Positions <span class="hint">CSV, a column for each member</span>
      </label>
      <textarea
        id="field-positions"
        rows={6}
        spellcheck={false}
        value={form.fields.positions}
        onInput={event => form.set({ positions: event.currentTarget.value })}
        {...(faults.length > 0 && { 'aria-invalid': true as const, 'aria-describedby': 'fault-positions' })}
      />
      {faults.length > 0 && (
        <ul class="faults" id="fault-positions">
          {faults.map(fault => (
            <li class="fault" key={fault}>
              {fault}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const ACCOUNT: OperationDefinition = {
  title: 'Account',
  lead: 'What can become of several perpetuals on common collateral, by the rules of a venue?',
  path: '/cross_perp_risk',
  question: 'account',
  defaults: {
    ...USUAL_MODEL,
    positions: SAMPLE,
    cu: 'USD:25000',
    venue: 'hyperliquid',
    hours: '168',
    slippage: '0.001',
    ratio: '0.8',
    shock: '0',
    paths: '100000',
  },
  assets: ({ positions }) => [...new Set(rowsOf(positions).rows.map(({ market }) => String(market)))],
  body: (fields, paths) => bodyOf(fields, rowsOf(fields.positions).rows, paths),
  headline: (answer, fields) =>
    accountSentences(resultsOf(answer), Number(numberOf(fields.hours)), marksOf(answer)),
  include: 'model',
  mostPaths: MAX_PATHS,
  runsInBrowser: false,
  form: form => (
    <>
      <PositionsField form={form} />
      <WeightsField
        form={form}
        name="cu"
        member="params.collateral"
        label="Collateral"
        of="units"
        symbols={symbols.value}
      />
      <div class="grid-2">
        <TextField form={form} name="venue" member="params.venue" label="Venue" />
        <MethodologyField form={form} question="account" />
        <NumberField
          form={form}
          name="hours"
          member="params.horizon_hours"
          label="Horizon"
          hint="hours"
          kind="whole"
        />
        <LookbackField form={form} />
        <PercentField
          form={form}
          name="slippage"
          member="params.slippage"
          label="Slippage"
          hint="% of a fill"
        />
        <PercentField
          form={form}
          name="ratio"
          member="params.margin_call_ratio"
          label="Margin call"
          hint="% of the margin"
        />
        <DateField form={form} />
        <ShockField form={form} />
      </div>
    </>
  ),
  charts: ({ state: { distribution, details }, answer, fields }) => {
    const results = resultsOf(answer);
    const { rows } = rowsOf(fields.positions);
    const { Equity } = results.Now;
    return (
      <>
        <MarginBar now={results.Now} callRatio={Number(answer.Arguments.margin_call_ratio)} />
        <div class="chart-table spread">
          <PositionsTable
            results={results}
            sizes={rows.map(({ position_size }) => Number(position_size))}
            marks={marksOf(answer)}
          />
        </div>
        {isOfPosition(distribution) && (
          <>
            {distribution.Fan !== undefined && (
              <FanChart
                title="Equity"
                fan={fanOf(distribution.Fan, Equity, Equity, details?.paths)}
                value={{ label: 'USD', show: plain }}
                levels={[]}
              />
            )}
            <HistogramChart
              title="Final equity"
              values={distribution.FinalEquity}
              value={{ label: 'USD', show: plain }}
            />
          </>
        )}
        {details?.median !== undefined && (
          <MedianChart median={details.median} assets={Object.keys(results.Now.LiquidationPrices)} />
        )}
      </>
    );
  },
  below: context => <ChangesPanel {...context} />,
};

/** Prices and equity along the path of the median liquidation. */
function MedianChart({ median, assets }: { median: MedianEnd; assets: readonly string[] }) {
  const { isEnd, hour, paths, ended, days, prices, equity } = median;
  const lines: Line[] = [
    { label: 'equity', values: equity, tone: 'ink' },
    ...prices.map((values, i) => ({
      label: assets[i] ?? `asset ${i + 1}`,
      values,
      tone: TONES[i % TONES.length],
      width: 1.5,
    })),
  ];
  const what = isEnd ? 'liquidation' : 'first forced close';
  return (
    <LinesChart
      title={`Path of the median ${what}: hour ${hour}, of ${ended} in ${paths} paths`}
      x={days}
      xText={{ label: 'days' }}
      yText={{ label: 'relative to the start', show: value => plain(value, 3) }}
      lines={lines}
      marks={[{ label: what, value: hour / 24, tone: 'liquidation' }]}
    />
  );
}

/** What closing each position, or adding some, changes: the same draws, side by side. */
function ChangesPanel({ fields, seed, paths, answer }: BelowContext) {
  const added = useSignal('');
  const accounts = useSignal<Readonly<Record<string, AccountResults | string>>>({});
  const busy = useSignal(false);
  const { rows } = rowsOf(fields.positions);
  const asked = JSON.stringify([bodyOf(fields, rows, 0), seed]);
  useEffect(() => {
    accounts.value = {};
  }, [asked]);
  const header = fields.positions.split('\n')[0];
  const more = added.value.trim() === '' ? { rows: [], faults: [] } : rowsOf(`${header}\n${added.value}`);
  const { Positions } = resultsOf(answer);

  const ask = async () => {
    busy.value = true;
    accounts.value = {};
    const changes: (readonly [string, readonly object[]])[] = [
      ['As it is', rows],
      ...(more.rows.length > 0 ? [['With more', [...rows, ...more.rows]] as const] : []),
      ...(rows.length > 1
        ? rows.map(
            (_, i) =>
              [
                `Without ${Positions[i]?.id ?? i + 1}, ${rows[i].market}`,
                rows.filter((__, k) => k !== i),
              ] as const,
          )
        : []),
    ];
    for (const [name, positions] of changes) {
      const body = bodyOf(fields, positions, Math.min(paths, COMPARED_PATHS));
      try {
        const answered = await postOperation('/cross_perp_risk', body, { seed });
        accounts.value = { ...accounts.value, [name]: resultsOf(answered.body) };
      } catch (error) {
        accounts.value = { ...accounts.value, [name]: inWords(messageOf(error)) };
      }
    }
    busy.value = false;
  };
  return (
    <section class="compare changes">
      <h3>What a change does</h3>
      <div class="field">
        <label for="field-added">
          Add positions <span class="hint">lines of the same columns</span>
        </label>
        <textarea
          id="field-added"
          rows={2}
          spellcheck={false}
          placeholder="SOL,linear,100,150,0.0001"
          value={added.value}
          onInput={event => {
            added.value = event.currentTarget.value;
          }}
        />
        {more.faults.map(fault => (
          <p class="fault" key={fault}>
            {fault}
          </p>
        ))}
      </div>
      <button type="button" class="quiet" onClick={ask} disabled={busy.value || more.faults.length > 0}>
        {busy.value ? 'Computing' : 'Close each position in turn'}
      </button>
      {Object.keys(accounts.value).length > 0 && <AccountsTable accounts={accounts.value} />}
    </section>
  );
}

export const AccountView = () => <OperationView key="account" definition={ACCOUNT} />;
