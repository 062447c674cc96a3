/** One plan on every engine that is there, figure by figure. */

import { useSignal } from '@preact/signals';
import { post, Refusal } from '../api/request.ts';
import type { FigureTerms } from '../compute/figures.ts';
import type { LiveRequest, OperationBody } from '../compute/live.ts';
import { type PlanText, runInBrowser } from '../compute/pool.ts';
import { browserEngines } from '../state/browser-engines.ts';
import { compact, figure } from './format.ts';
import { Scroll } from './scroll.tsx';

interface Column {
  readonly name: string;
  readonly device: string;
  readonly figures: Readonly<Record<string, number>>;
  readonly rate: number | undefined;
}

/** Enough for a figure of 1 % to be told within 0.1 %. */
const COMPARED_PATHS = 65_536;

export function ComparePanel(props: {
  plan: PlanText;
  request: LiveRequest;
  /** Processed arguments of the request. */
  terms: FigureTerms;
}) {
  const { plan, request, terms } = props;
  const columns = useSignal<readonly Column[]>([]);
  const note = useSignal('');
  const busy = useSignal(false);
  const compare = async () => {
    busy.value = true;
    columns.value = [];
    note.value = '';
    const notes: string[] = [];
    const add = async (name: string, run: () => Promise<Omit<Column, 'name'>>) => {
      try {
        columns.value = [...columns.value, { name, ...(await run()) }];
      } catch (error) {
        notes.push(
          `${name}: ${error instanceof Refusal || error instanceof Error ? error.message : String(error)}`,
        );
        note.value = notes.join(' ');
      }
    };
    const onServer = (compute: string) => async () => {
      const { body, device } = await post<OperationBody>(request.path, request.body(COMPARED_PATHS), {
        compute,
        seed: request.seed,
      });
      return { device, figures: numbersOf(body.Output ?? body.Results ?? {}), rate: undefined };
    };
    const here = (engine: 'gpu' | 'simd') => async () => {
      const run = await runInBrowser(plan, engine, COMPARED_PATHS, terms);
      return {
        device: run.device,
        figures: numbersOf(run.figures),
        rate: (1000 * run.pathSteps) / run.milliseconds,
      };
    };
    await add('Server, double precision', onServer('cpu'));
    await add('Server, its choice', onServer('auto'));
    await add('Server, GPU', onServer('gpu'));
    if (browserEngines.value?.['browser-gpu'].missing === undefined)
      await add('This browser, GPU', here('gpu'));
    if (browserEngines.value?.['browser-simd'].missing === undefined)
      await add('This browser, SIMD', here('simd'));
    busy.value = false;
  };
  const [base, ...others] = columns.value;
  return (
    <section class="compare">
      <h3>One plan on every engine</h3>
      <p class="lead">
        The server sends its simulation plan. This browser runs the same shaders and the same kernel on it:
        65,536 paths, path by path the same random numbers.
      </p>
      <button type="button" onClick={compare} disabled={busy.value}>
        {busy.value ? 'Comparing' : 'Compare'}
      </button>
      {note.value !== '' && <p class="notice">{note.value}</p>}
      {base !== undefined && (
        <Scroll label="Comparison of engines">
          <table class="figures" data-compare={columns.value.length}>
            <thead>
              <tr>
                <th scope="col">Figure</th>
                {columns.value.map(({ name, device, rate }) => (
                  <th scope="col" key={name} title={device}>
                    {name}
                    {rate !== undefined && <small> {compact(rate)} path-steps/s</small>}
                  </th>
                ))}
                <th scope="col">Largest difference</th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(base.figures).map(([name, value]) => {
                const values = others.flatMap(({ figures }) => (name in figures ? [figures[name]] : []));
                const difference = Math.max(0, ...values.map(other => Math.abs(other - value)));
                return (
                  <tr key={name} data-figure={name}>
                    <th scope="row">{name}</th>
                    {columns.value.map(column => (
                      <td key={column.name} data-engine={column.name} data-value={column.figures[name]}>
                        {name in column.figures ? figure(name, column.figures[name]) : ''}
                      </td>
                    ))}
                    <td>{difference === 0 ? '0' : difference.toExponential(1)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

/** Numbers of a result by dotted name, nested objects included. */
function numbersOf(result: Readonly<Record<string, unknown>>, prefix = ''): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [name, value] of Object.entries(result)) {
    if (typeof value === 'number') numbers[prefix + name] = value;
    else if (typeof value === 'object' && value !== null)
      Object.assign(numbers, numbersOf(value as Record<string, unknown>, `${prefix}${name} `));
  }
  return numbers;
}
