/**
 * The frame of every operation: a form on one side, figures and charts on the other.
 *
 * A view is data: defaults, a request, a form and charts. All views share runs, refusals and comparisons.
 */
import type { ComponentChildren } from 'preact';
import { concerns } from '#core/warnings.ts';
import type { ScoreTerms } from '#src/question/origination/score.ts';
import { dayOf, parseIsoDate } from '#src/text/calendar-date.ts';
import type { PostPath } from '../api/request.ts';
import {
  type Accuracies,
  accuraciesOf,
  type Figures,
  type KeyOf,
  numbersOf,
  type OperationBody,
} from '../compute/answer.ts';
import { type LiveRequest, type LiveState, PLACES, type Place, useLive } from '../compute/live.ts';
import { type BrowserEngine, NOT_RUN } from '../compute/protocol.ts';
import { type Fields, fieldsOf, linkToForm, setFields } from '../state/address.ts';
import { engineStates } from '../state/engines.ts';
import { draws, methodologiesOf, type Question } from '../state/methodologies.ts';
import { lastDayOf } from '../state/server.ts';
import { ComparePanel } from '../ui/compare.tsx';
import { type FormContext, Radios } from '../ui/fields.tsx';
import { asCsv, CopyButtons, FigureTable, type KeyFigure, KeyFigures, keyFiguresOf } from '../ui/figures.tsx';
import { FormPanel } from '../ui/form-panel.tsx';
import { compact, duration, whole } from '../ui/format.ts';
import { Headline } from '../ui/headline.tsx';
import { KeyPrompt } from '../ui/key-prompt.tsx';
import { RefusalPanel } from '../ui/refusal-panel.tsx';
import { asCurl, asPython, withQuery } from '../ui/request-texts.ts';
import { ModelsPanel } from '../ui/side-by-side.tsx';
import { type ShownWarning, WarningNotice } from '../ui/warning-notice.tsx';
import { ModelFields } from './shared.tsx';

export interface ChartContext {
  readonly state: LiveState;
  readonly answer: OperationBody;
  readonly fields: Fields;
  readonly form: FormContext;
}

/** Data of the parts below the figures. */
export interface BelowContext {
  readonly fields: Fields;
  readonly seed: string;
  /** Paths of the latest run. */
  readonly paths: number;
  readonly answer: OperationBody;
}

/** Figures as one flat table by key, and their accuracy. */
export interface FlatFigures {
  readonly figures: Figures;
  readonly accuracy: Accuracies | undefined;
}

export interface OperationDefinition {
  readonly title: string;
  readonly lead: string;
  readonly path: PostPath;
  readonly question: Question;
  readonly defaults: Fields;
  /** The body with a number of paths. */
  body(fields: Fields, paths: number): unknown;
  /** The fields of what is asked about; those of model and run follow. */
  form(form: FormContext): ComponentChildren;
  /** Where the interface has the methodology, and the other members of the model; `type` and `params.` where absent. */
  readonly modelMembers?: { readonly type: string; readonly prefix: string };
  charts(context: ChartContext): ComponentChildren;
  /** The answer in sentences, the most important first. */
  headline(answer: OperationBody, fields: Fields): readonly string[];
  /** The line below the figures: scenarios. */
  below?(context: BelowContext): ComponentChildren;
  /** Query parameters beside `include`, by name. */
  query?(fields: Fields): Readonly<Record<string, string>>;
  /** Keys of the figures in the flat table; names joined by blanks where absent. */
  readonly keyOf?: KeyOf;
  /** The figures that are shown large; the first of the list where absent. */
  keys?(flat: FlatFigures, answer: OperationBody): readonly KeyFigure[];
  /** Tables in place of the one list of figures. */
  tables?(flat: FlatFigures, answer: OperationBody, warnings: readonly ShownWarning[]): ComponentChildren;
  /** Members of `include` beside accuracy, distribution, plan and warnings. */
  readonly include?: string;
  /** The terms of a search whose scores are drawn as a curve. */
  curve?(answer: OperationBody): ScoreTerms;
  /** Assets that the answer needs prices of. */
  assets(fields: Fields): readonly string[];
  /** Most paths that the operation takes; 10,000,000 where absent. */
  readonly mostPaths?: number;
  /** False for an operation without a distribution. */
  readonly hasDistribution?: boolean;
  /** False where the answer needs a search on the server: this browser draws its curve only. */
  readonly runsInBrowser?: boolean;
}

/** Fields that every operation has beside its own. */
export const COMMON_DEFAULTS: Fields = { seed: '0', paths: '100000', where: 'server-auto', date: '' };

/** Most paths of methodologies side by side. */
const MODEL_PATHS = 20_000;

const PATH_CHOICES = [1000, 10_000, 100_000, 1_000_000, 10_000_000];

export function OperationView({ definition }: { definition: OperationDefinition }) {
  const defaults = { ...COMMON_DEFAULTS, ...definition.defaults };
  const fields = fieldsOf(defaults);
  const counts = PATH_CHOICES.filter(count => count <= (definition.mostPaths ?? 10_000_000));
  const mostPaths = Math.min(Number(fields.paths) || 1000, counts.at(-1) ?? 1000);
  const wanted = (Object.hasOwn(PLACES, fields.where) ? fields.where : 'server-auto') as Place;
  // Of a link: the server of another may have none. What this browser lacks the run finds out.
  const noGpu = wanted === 'server-gpu' ? engineStates.value['server-gpu']?.missing : undefined;
  const place = noGpu === undefined ? wanted : 'server-auto';
  const { include, curve } = definition;
  const query = definition.query?.(fields) ?? {};
  const request: LiveRequest = {
    path: definition.path,
    body: paths => definition.body(fields, paths),
    seed: fields.seed,
    refines: draws(fields.type),
    mostPaths,
    ...(include === undefined ? {} : { include }),
    ...(curve === undefined ? {} : { curve }),
    query,
    distributes: definition.hasDistribution !== false,
    figuresInBrowser: definition.runsInBrowser !== false,
  };
  const live = useLive(request, place);
  const state = live.state.value;
  const form: FormContext = {
    fields,
    faults: state.refusal?.faults ?? [],
    set: changed => setFields(changed, defaults),
  };
  const { answer } = state;
  const { keyOf } = definition;
  const sent = () => ({
    path: withQuery(definition.path, query),
    body: request.body(state.paths),
    seed: fields.seed,
  });
  const flat = answer === undefined ? undefined : flatFigures(answer, keyOf);
  const warnings = answer?.Warnings ?? [];
  // Nested figures have tables of their own.
  const own = Object.keys(answer?.Output ?? answer?.Results ?? {});
  const keyed = {
    figures: Object.fromEntries(Object.entries(flat?.figures ?? {}).filter(([name]) => own.includes(name))),
    accuracy: flat?.accuracy,
  };
  const keys =
    answer === undefined || flat === undefined
      ? []
      : (definition.keys?.(flat, answer) ?? keyFiguresOf(keyed.figures, keyed.accuracy));
  const shown = Object.keys(flat?.figures ?? {});
  const atTop = warnings.filter(({ code }) => !shown.some(figure => concerns(code, figure)));
  return (
    <div class="operation">
      <FormPanel title={definition.title} lead={definition.lead} isFirst={false}>
        {definition.form(form)}
        <ModelFields
          form={form}
          question={definition.question}
          {...definition.modelMembers}
          run={request.refines ? `${whole(mostPaths)} paths` : 'windows of the past'}
        >
          <div class="field">
            <label for="field-paths">Paths, at most</label>
            <select
              id="field-paths"
              value={String(mostPaths)}
              disabled={!request.refines}
              onChange={event => form.set({ paths: event.currentTarget.value })}
            >
              {counts.map(count => (
                <option key={count} value={String(count)}>
                  {whole(count)}
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
              autocomplete="off"
              value={fields.seed}
              onInput={event => form.set({ seed: event.currentTarget.value })}
            />
          </div>
        </ModelFields>
      </FormPanel>
      <section class="results" aria-label="Results" aria-busy={state.status === 'running'}>
        <KeyPrompt />
        {state.status !== 'refused' && (
          <div class="run-bar">
            <Status
              state={state}
              onStop={() => live.stop()}
              onResume={() => live.resume()}
              more={
                request.refines ? counts.find(count => count > Math.max(mostPaths, state.paths)) : undefined
              }
              onMore={count => form.set({ paths: String(count) })}
              instead={noGpu === undefined ? state.instead : noGpu}
            />
          </div>
        )}
        {state.refusal !== undefined && (
          <>
            <RefusalPanel refusal={state.refusal} retry={() => live.resume()} />
            <NewestDay
              assets={definition.assets(fields)}
              date={fields.date}
              onChoose={date => form.set({ date })}
            />
            {answer !== undefined && (
              <p class="hint">
                Below: the figures of {state.outdated ? 'the last request that was answered' : 'this form'},
                of {whole(state.paths)} scenarios.
              </p>
            )}
          </>
        )}
        {answer !== undefined && flat !== undefined && (
          <>
            <div class={state.outdated || state.refusal !== undefined ? 'answer stale' : 'answer'}>
              <Headline
                sentences={definition.headline(answer, fields)}
                synthetic={state.market.startsWith('sample')}
              />
              {atTop.map(warning => (
                <WarningNotice key={warning.message} {...warning} />
              ))}
              <KeyFigures items={keys} />
              <div class="charts">{definition.charts({ state, answer, fields, form })}</div>
              <details class="all-figures" open={keys.length === 0 || atTop.length < warnings.length}>
                <summary>All figures</summary>
                {definition.tables?.(flat, answer, warnings) ?? (
                  <FigureTable {...flat} level={answer.Accuracy?.level} warnings={warnings} />
                )}
              </details>
              <CopyButtons
                texts={{
                  curl: () => asCurl(sent()),
                  Python: () => asPython(sent()),
                  CSV: () => asCsv(flat.figures, flat.accuracy),
                  link: () => linkToForm(defaults),
                }}
              />
              {state.distribution !== undefined && state.distribution.scenarios !== state.paths && (
                <p class="hint">Charts: {whole(state.distribution.scenarios)} scenarios of equal weight.</p>
              )}
            </div>
            {state.status !== 'refused' && state.paths > 0 && (
              <>
                {definition.below?.({ fields, seed: fields.seed, paths: state.paths, answer })}
                <ModelsPanel
                  path={definition.path}
                  models={methodologiesOf(definition.question)}
                  body={type => definition.body({ ...fields, type }, Math.min(state.paths, MODEL_PATHS))}
                  figures={body => flatFigures(body, keyOf).figures}
                  seed={fields.seed}
                />
              </>
            )}
          </>
        )}
        <details class="compare engines" open={place !== 'server-auto'}>
          <summary>Engines and speed</summary>
          <Places
            place={place}
            unsupported={state.outdated ? [] : (state.details?.unsupported ?? [])}
            onChange={where => form.set({ where })}
          />
          <p class="hint" data-device={state.device}>
            {state.device === '' ? 'Nothing has run yet.' : `Computed by ${state.device}`}
            {state.paths > 0 && ` in ${duration(state.milliseconds)}`}
            {state.rate !== undefined && `, ${compact(state.rate)} path-steps/s`}
            {state.device !== '' && '.'}
          </p>
          {definition.runsInBrowser !== false &&
            request.refines &&
            state.plan !== undefined &&
            answer !== undefined && (
              <ComparePanel
                plan={state.plan}
                request={request}
                terms={answer.Arguments}
                stepsPerPath={state.details?.stepsPerPath ?? 0}
              />
            )}
        </details>
        {answer === undefined && state.status === 'running' && (
          <p class="waiting">Waiting for the first figures.</p>
        )}
      </section>
    </div>
  );
}

const flatFigures = ({ Output, Results, Accuracy }: OperationBody, keyOf?: KeyOf): FlatFigures => ({
  figures: numbersOf(Output ?? Results, keyOf),
  accuracy: accuraciesOf(Accuracy?.figures, keyOf),
});

/** Where prices end before the day of the analysis: the latest possible day, which a click selects. */
function NewestDay(props: { assets: readonly string[]; date: string; onChoose(date: string): void }) {
  const { assets, date, onChoose } = props;
  const last = lastDayOf(assets);
  if (last === undefined) return null;
  const today = dayOf(new Date());
  const wanted = Math.min(parseIsoDate(date) ?? today, today - 1);
  if (wanted <= (parseIsoDate(last) ?? 0)) return null;
  return (
    <p class="notice">
      The prices of {assets.join(', ')} end on {last}.{' '}
      <button type="button" onClick={() => onChoose(last)}>
        Analyse as of {last}
      </button>
    </p>
  );
}

/** Which engine computes: one of the server's or one of this browser's. */
function Places(props: {
  place: Place;
  /** Engines of this browser that do not run the plan. */
  unsupported: readonly BrowserEngine[];
  onChange(place: Place): void;
}) {
  const { place, unsupported, onChange } = props;
  return (
    <Radios
      name="where"
      legend="Computed by"
      options={Object.entries(PLACES).map(([value, label]) => {
        const engine = engineStates.value[value as keyof typeof engineStates.value];
        const isUnsupported = unsupported.some(name => value === `browser-${name}`);
        return { value, label, ...engine, ...(isUnsupported && { missing: engine?.missing ?? NOT_RUN }) };
      })}
      chosen={place}
      choose={chosen => onChange(chosen as Place)}
    />
  );
}

function Status(props: {
  state: LiveState;
  /** Why the server computes in place of the chosen engine; empty where it does not. */
  instead: string;
  /** The next larger number of paths, where there is one. */
  more: number | undefined;
  onStop(): void;
  onResume(): void;
  onMore(paths: number): void;
}) {
  const { state, instead, more, onStop, onResume, onMore } = props;
  const { status, paths, runningPaths, filled, market } = state;
  if (status === 'idle') return null;
  return (
    <div class="status" data-status={status} data-paths={paths}>
      <p role="status">
        {paths > 0 && (
          <>
            <strong>{whole(paths)}</strong> scenarios.
          </>
        )}
        {status === 'stopped' && state.outdated && ' The figures are those of the form before its change.'}
        {runningPaths > 0 && ` Running ${whole(runningPaths)}.`}
        {market.startsWith('sample') && ' Synthetic prices: the sample market.'}
        {instead !== '' && ` Computed by the server: ${instead}.`}
        {filled !== '' && ` Prices carried forward: ${filled}.`}
      </p>
      <span class="run-actions">
        {status === 'running' && (
          <button type="button" class="quiet" onClick={onStop}>
            Stop
          </button>
        )}
        {status === 'stopped' && (
          <button type="button" class="quiet" onClick={onResume}>
            Continue
          </button>
        )}
        {status === 'done' && more !== undefined && (
          <button type="button" class="quiet" onClick={() => onMore(more)}>
            {whole(more)} paths
          </button>
        )}
      </span>
    </div>
  );
}
