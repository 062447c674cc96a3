/**
 * The frame of every operation: a form on one side, figures and charts on the other.
 *
 * A view is data: defaults, a request, a form and charts. What refines, refuses and compares is the same for all.
 */
import type { ComponentChildren } from 'preact';
import {
  type LiveRequest,
  type LiveState,
  type OperationBody,
  PLACES,
  type Place,
  useLive,
} from '../compute/live.ts';
import { type Fields, fieldsOf, setFields } from '../state/address.ts';
import { browserEngines } from '../state/browser-engines.ts';
import { ComparePanel } from '../ui/compare.tsx';
import type { FormContext } from '../ui/fields.tsx';
import {
  asCsv,
  asCurl,
  asPython,
  CopyButtons,
  type FigureAccuracy,
  type Figures,
  FigureTable,
  KeyPrompt,
} from '../ui/figures.tsx';
import { compact, whole } from '../ui/format.ts';

export interface ChartContext {
  readonly state: LiveState;
  readonly answer: OperationBody;
  readonly fields: Fields;
}

export interface OperationDefinition {
  readonly title: string;
  readonly lead: string;
  readonly path: string;
  readonly defaults: Fields;
  /** The body with a number of paths. */
  body(fields: Fields, paths: number): unknown;
  /** Whether the methodology chosen takes a number of paths. */
  refines(fields: Fields): boolean;
  form(form: FormContext): ComponentChildren;
  charts(context: ChartContext): ComponentChildren;
  /** Figures that are numbers, with their accuracy; by default those of `Output` or `Results`. */
  figures?(answer: OperationBody): {
    figures: Figures;
    accuracy: Readonly<Record<string, FigureAccuracy>> | undefined;
  };
  /** False where the answer needs a search on the server. */
  readonly runsInBrowser?: boolean;
}

/** Fields that every operation has beside its own. */
export const COMMON_DEFAULTS: Fields = { seed: '0', paths: '100000', where: 'server-auto', date: '' };

const PATH_CHOICES = ['1000', '10000', '100000', '1000000', '10000000'];

export function OperationView({ definition }: { definition: OperationDefinition }) {
  const defaults = { ...COMMON_DEFAULTS, ...definition.defaults };
  const fields = fieldsOf(defaults);
  const places = Object.entries(PLACES).filter(
    ([place]) => !place.startsWith('browser-') || definition.runsInBrowser !== false,
  );
  const place = (places.find(([name]) => name === fields.where)?.[0] ?? 'server-auto') as Place;
  const request: LiveRequest = {
    path: definition.path,
    body: paths => definition.body(fields, paths),
    seed: fields.seed,
    refines: definition.refines(fields),
    mostPaths: Number(fields.paths) || 1000,
  };
  const live = useLive(request, place);
  const state = live.state.value;
  const form: FormContext = { fields, faults: state.faults, set: changed => setFields(changed, defaults) };
  const { answer } = state;
  const read = definition.figures ?? flatFigures;
  return (
    <div class="operation">
      <form class="panel" onSubmit={event => event.preventDefault()} aria-label={definition.title}>
        <h2>{definition.title}</h2>
        <p class="lead">{definition.lead}</p>
        {definition.form(form)}
        <details class="run-options">
          <summary>Simulation and engine</summary>
          <div class="grid-2">
            <div class="field">
              <label for="field-paths">Paths, at most</label>
              <select
                id="field-paths"
                value={fields.paths}
                onChange={event => form.set({ paths: event.currentTarget.value })}
              >
                {PATH_CHOICES.map(count => (
                  <option key={count} value={count}>
                    {whole(Number(count))}
                  </option>
                ))}
              </select>
            </div>
            <div class="field">
              <label for="field-seed">Seed</label>
              <input
                id="field-seed"
                type="text"
                inputMode="numeric"
                value={fields.seed}
                onInput={event => form.set({ seed: event.currentTarget.value })}
              />
            </div>
          </div>
          <div class="field">
            <label for="field-where">Computed by</label>
            <select
              id="field-where"
              value={place}
              onChange={event => form.set({ where: event.currentTarget.value })}
            >
              {places.map(([name, label]) => {
                const missing = browserEngines.value?.[name as 'browser-gpu' | 'browser-simd']?.missing;
                return (
                  <option key={name} value={name} disabled={missing !== undefined}>
                    {missing === undefined ? label : `${label}: ${missing}`}
                  </option>
                );
              })}
            </select>
          </div>
        </details>
      </form>
      <section class="results" aria-label="Results" aria-busy={state.status === 'running'}>
        <KeyPrompt />
        <Status state={state} onStop={live.stop} />
        {answer !== undefined && (
          <>
            {answer.Warnings?.map(({ code, message }) => (
              <p class="notice" key={code}>
                {message}
              </p>
            ))}
            <div class={state.status === 'refused' ? 'stale' : ''}>
              <FigureTable {...read(answer)} />
              <CopyButtons
                texts={{
                  curl: () => asCurl(definition.path, request.body(state.paths), fields.seed),
                  Python: () => asPython(definition.path, request.body(state.paths), fields.seed),
                  CSV: () => asCsv(read(answer).figures, read(answer).accuracy),
                  link: () => location.href,
                }}
              />
              <div class="charts">{definition.charts({ state, answer, fields })}</div>
            </div>
            {definition.runsInBrowser !== false && state.plan !== undefined && (
              <ComparePanel plan={state.plan} request={request} terms={answer.Arguments} />
            )}
          </>
        )}
      </section>
    </div>
  );
}

/** The numbers of `Output` or `Results`. */
function flatFigures(answer: OperationBody) {
  const result = answer.Output ?? answer.Results ?? {};
  const figures = Object.fromEntries(
    Object.entries(result).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
  return { figures, accuracy: answer.Accuracy?.figures };
}

function Status({ state, onStop }: { state: LiveState; onStop(): void }) {
  const { status, paths, device, rate, milliseconds, message, filled, market, faults } = state;
  if (status === 'idle') return null;
  return (
    <div class="status" data-status={status} data-paths={paths}>
      <p role="status">
        {status === 'running' && 'Simulating. '}
        {status === 'refused' && <strong class="fault">{message} </strong>}
        {paths > 0 && `${whole(paths)} scenarios in ${whole(milliseconds)} ms`}
        {rate !== undefined && `, ${compact(rate)} path-steps/s`}
        {device !== '' && ` on ${device}. `}
        {market.startsWith('sample') && 'Prices: the synthetic sample market. '}
        {filled !== '' && `Carried prices: ${filled}. `}
      </p>
      {status === 'running' && (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      )}
      {status === 'refused' && faults.length > 0 && (
        <ul class="faults">
          {faults.map(fault => (
            <li key={fault.path + fault.message}>
              <code>{fault.path}</code> {fault.message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
