/**
 * Loans under falls of all prices, rises where one is in a coin, and past windows, by /stress: a line for each scenario, and the path of a
 * replay.
 *
 * Takes: loans as rows of a book, the methodology, and other members of the request. Gives: a section of the page.
 */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { COIN_RISES, lendsCoins, moveOf } from '#src/desk/ask-stress.ts';
import type { Refusal } from '../api/request.ts';
import { namedScenarios } from '../state/server.ts';
import { coverageUnit } from '../state/session.ts';
import type { Level } from './charts.tsx';
import { LinesChart, ratio } from './charts.tsx';
import { Radios } from './fields.tsx';
import { percent, plain } from './format.ts';
import { asRefusal, RefusalPanel } from './refusal-panel.tsx';
import { askScenarios, type ScenarioQuestion, type StressAnswer } from './scenario-question.ts';
import { ScenarioTable } from './scenario-table.tsx';
import { type ShownWarning, WarningNotice } from './warning-notice.tsx';

const FALLS = [0.1, 0.2, 0.3, 0.5];
/** Of each scenario of one loan. */
const PATHS = 2000;

export function ScenarioPanel(
  props: ScenarioQuestion & {
    /** Lines of the chart of a replay, as coverage is shown; those of one loan. */
    readonly levels?: readonly Level[];
  },
) {
  const { type, params, loans, seed, paths = PATHS, levels = [] } = props;
  const answer = useSignal<StressAnswer | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const busy = useSignal(false);
  const left = useSignal<readonly string[]>([]);
  const replayed = useSignal('');
  const question = JSON.stringify([type, params, loans, seed, paths]);
  useEffect(() => {
    answer.value = undefined;
    refusal.value = undefined;
  }, [question]);

  const rises = lendsCoins(loans) ? COIN_RISES : [];
  const moves = [
    ...FALLS.map(size => moveOf('fall', size, loans)),
    ...rises.map(size => moveOf('rise', size, loans)),
  ].map(sent => ({
    name: sent.name,
    title: `All prices ${sent.name.replace(' ', ' by ')}`,
    sent: sent as unknown,
  }));
  const named = namedScenarios.value.map(({ name, title }) => ({ name, title, sent: name as unknown }));
  const offered = [...moves, ...named];
  const chosen = offered.filter(({ name }) => !left.value.includes(name));

  const ask = async () => {
    busy.value = true;
    refusal.value = undefined;
    try {
      const sent = chosen.map(each => each.sent);
      answer.value = await askScenarios({ ...props, paths }, sent, 'path,loans,warnings');
    } catch (error) {
      refusal.value = asRefusal(error);
    }
    busy.value = false;
  };
  const scenarios = Object.entries(answer.value?.Output.Scenarios ?? {});
  const titles = new Map([
    ['base', 'As prices are'],
    ...offered.map(({ name, title }) => [name, title] as const),
  ]);
  const replays = scenarios.filter(([, { Replay }]) => Replay?.Path !== undefined);
  const shown = replays.find(([name]) => name === replayed.value) ?? replays.at(-1);
  const warnings = (answer.value as { Warnings?: readonly ShownWarning[] } | undefined)?.Warnings ?? [];
  return (
    <section class="compare scenarios">
      <h3>What if? Falls{rises.length > 0 && ' and rises'}, and past crashes replayed hour by hour</h3>
      <fieldset class="chips">
        <legend class="visually-hidden">Scenarios</legend>
        {offered.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            class="quiet small"
            title={title}
            aria-pressed={!left.value.includes(name)}
            onClick={() => {
              left.value = left.value.includes(name)
                ? left.value.filter(each => each !== name)
                : [...left.value, name];
            }}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <button type="button" onClick={ask} disabled={busy.value || chosen.length === 0}>
        {busy.value ? 'Running the scenarios' : `Run ${chosen.length} scenarios`}
      </button>
      {refusal.value !== undefined && <RefusalPanel refusal={refusal.value} retry={ask} />}
      {scenarios.length > 0 && (
        <>
          <ScenarioTable scenarios={scenarios} titles={titles} of={loans.length} />
          {warnings.map(warning => (
            <WarningNotice key={warning.message} {...warning} />
          ))}
        </>
      )}
      {shown !== undefined && (
        <>
          <Radios
            name="replay"
            legend="Replay of"
            options={replays.map(([value]) => ({ value, label: value }))}
            chosen={shown[0]}
            choose={value => {
              replayed.value = value;
            }}
          />
          <ReplayChart
            title={titles.get(shown[0]) ?? shown[0]}
            path={shown[1].Replay?.Path ?? []}
            levels={levels}
          />
        </>
      )}
    </section>
  );
}

/** The coverage hour by hour, as if nothing were sold, with the levels of the loan. */
function ReplayChart(props: { title: string; path: readonly number[]; levels: readonly Level[] }) {
  const { title, path, levels } = props;
  const isLtv = coverageUnit.value === 'ltv';
  return (
    <LinesChart
      title={`Replay: ${title}`}
      x={path.map((_, hour) => hour)}
      xText={{ label: 'hours', show: plain }}
      yText={isLtv ? { label: 'LTV', show: percent } : { label: 'CCR', show: ratio }}
      lines={[
        {
          label: isLtv ? 'LTV, nothing sold' : 'coverage, nothing sold',
          values: path.map(value => (value > 0 ? (isLtv ? 1 / value : value) : null)),
          tone: 'accent',
        },
      ]}
      levels={levels}
      wide
    />
  );
}
