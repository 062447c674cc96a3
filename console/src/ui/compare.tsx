/** One plan on every engine that is there, figure by figure. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '#core/errors.ts';
import { postOperation } from '../api/request.ts';
import { type Figures, numbersOf } from '../compute/answer.ts';
import type { FigureTerms } from '../compute/figures.ts';
import { type LiveRequest, PLACES, type Place } from '../compute/live.ts';
import { type PlanText, runInBrowser } from '../compute/pool.ts';
import { engineStates } from '../state/engines.ts';
import { compact, plain, whole } from './format.ts';
import { Scroll } from './scroll.tsx';

interface Column {
  readonly name: string;
  readonly device: string;
  readonly figures: Figures;
  /** Path-steps per second: of the engine alone in this browser, with the network and the calibration on the server. */
  readonly rate: number | undefined;
}

/** The standard error of a figure of 1 % is then 0.04 %. */
const COMPARED_PATHS = 65_536;

/** Figures that are counts of paths: engines that agree have them equal to the last digit. */
const COUNTED = /^Pr[A-Z]/;

export function ComparePanel(props: {
  plan: PlanText;
  request: LiveRequest;
  /** Processed arguments of the request. */
  terms: FigureTerms;
  stepsPerPath: number;
}) {
  const { plan, request, terms, stepsPerPath } = props;
  const columns = useSignal<readonly Column[]>([]);
  const notes = useSignal<readonly string[]>([]);
  const busy = useSignal('');
  useEffect(() => {
    columns.value = [];
    notes.value = [];
  }, [plan.text]);

  const compare = async () => {
    columns.value = [];
    notes.value = [];
    const add = async (name: string, run: () => Promise<Omit<Column, 'name'>>) => {
      busy.value = name;
      try {
        columns.value = [...columns.value, { name, ...(await run()) }];
      } catch (error) {
        notes.value = [...notes.value, `${name}: ${messageOf(error)}`];
      }
    };
    const onServer = (compute: string) => async () => {
      const answered = await postOperation(request.path, request.body(COMPARED_PATHS), {
        compute,
        seed: request.seed,
        query: request.query ?? {},
        // The plan names it: all engines do the same work.
        ...(request.query?.sampling === 'tail' ? {} : { include: 'distribution' }),
      });
      return {
        device: answered.device,
        figures: numbersOf(answered.body.Output ?? answered.body.Results),
        rate: (1000 * COMPARED_PATHS * stepsPerPath) / answered.milliseconds,
      };
    };
    const here = (engine: 'gpu' | 'simd') => async () => {
      const run = await runInBrowser(plan, engine, COMPARED_PATHS, terms);
      return {
        device: run.device,
        figures: numbersOf(run.figures),
        rate: (1000 * run.pathSteps) / run.milliseconds,
      };
    };
    const runs = {
      'server-cpu': onServer('cpu'),
      'server-auto': onServer('auto'),
      'server-gpu': onServer('gpu'),
      'browser-gpu': here('gpu'),
      'browser-simd': here('simd'),
    } satisfies Record<Place, unknown>;
    for (const [place, run] of Object.entries(runs)) {
      const missing = engineStates.value[place as keyof typeof engineStates.value]?.missing;
      const name = PLACES[place as Place];
      if (missing === undefined) await add(name, run);
      else notes.value = [...notes.value, `${name}: ${missing}`];
    }
    busy.value = '';
  };
  return (
    <section class="compare">
      <h3>One plan on every engine</h3>
      <p class="lead">
        The server sends its simulation plan. This browser runs the same shaders and the same kernel on it:{' '}
        {whole(COMPARED_PATHS)} paths, path by path the same random numbers.
      </p>
      <button type="button" onClick={compare} disabled={busy.value !== ''}>
        Compare
      </button>
      <span class="progress" role="status">
        {busy.value !== '' && `Running: ${busy.value}`}
        {busy.value === '' && columns.value.length > 1 && verdict(columns.value)}
      </span>
      {columns.value.length > 0 && <Comparison columns={columns.value} />}
      {notes.value.length > 0 && (
        <ul class="notes">
          {notes.value.map(note => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Differences from the first column that are not 0, largest relative one last; by figure. */
function differences([base, ...others]: readonly Column[]) {
  return Object.entries(base.figures).map(([name, value]) => {
    const values = others.flatMap(({ figures }) => (name in figures ? [figures[name]] : []));
    return { name, value, difference: Math.max(0, ...values.map(other => Math.abs(other - value))) };
  });
}

/** Whether the engines agree, in a sentence. */
function verdict(columns: readonly Column[]): string {
  const found = differences(columns);
  const counted = found.filter(({ name }) => COUNTED.test(name));
  const equal = counted.filter(({ difference }) => difference === 0).length;
  const relative = Math.max(
    0,
    ...found.map(({ value, difference }) => difference / Math.max(1e-12, Math.abs(value))),
  );
  const counts =
    counted.length === 0
      ? ''
      : `${equal} of ${counted.length} counts of paths are identical on ${columns.length} engines; `;
  return `${counts}largest relative difference of any figure ${relative === 0 ? '0' : relative.toExponential(1)}.`;
}

function Comparison({ columns }: { columns: readonly Column[] }) {
  return (
    <Scroll label="Comparison of engines">
      <table class="figures" data-compare={columns.length}>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            {columns.map(({ name, device, rate }) => (
              <th scope="col" key={name}>
                {name}
                <span class="meaning">{device}</span>
                {rate !== undefined && <span class="meaning">{compact(rate)} path-steps/s</span>}
              </th>
            ))}
            <th scope="col">Largest difference</th>
          </tr>
        </thead>
        <tbody>
          {differences(columns).map(({ name, difference }) => (
            <tr key={name} data-figure={name}>
              <th scope="row">{name}</th>
              {columns.map(column => (
                <td key={column.name} data-engine={column.name} data-value={column.figures[name]}>
                  {name in column.figures ? plain(column.figures[name]) : ''}
                </td>
              ))}
              <td>{difference === 0 ? '0' : difference.toExponential(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
