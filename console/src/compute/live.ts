/**
 * Runs the request of a view as it is edited: 1,000 paths at once, then ten times more, until stopped.
 *
 * Takes: a path and a body by number of paths. Gives: a signal with the latest figures and their distribution. A change aborts
 * what runs; a larger number of paths continues the run.
 */

import { type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { ScoreTerms } from '#src/question/origination/score.ts';
import { type Answered, type PostPath, postOperation, Refusal } from '../api/request.ts';
import { missingEngine } from '../state/engines.ts';
import { apiKey } from '../state/session.ts';
import { asRefusal } from '../ui/refusal-panel.tsx';
import { type Accuracies, type Distribution, LEVEL, type OperationBody } from './answer.ts';
import type { ScoreCurve } from './curve.ts';
import { drawCurve, type PlanText, readDetails, runInBrowser } from './pool.ts';
import { NOT_RUN, type ShownPlan } from './protocol.ts';

/** Where the figures are computed. */
export const PLACES = {
  'server-auto': 'Server',
  'server-gpu': 'Server GPU',
  'server-cpu': 'Server double',
  'browser-gpu': 'Browser GPU',
  'browser-simd': 'Browser SIMD',
} as const;
export type Place = keyof typeof PLACES;

export interface LiveRequest {
  readonly path: PostPath;
  /** The request with `paths` paths; a methodology without simulation ignores the number. */
  body(paths: number): unknown;
  readonly seed: string;
  /** False for a methodology that takes no number of paths. */
  readonly refines: boolean;
  /** Number of paths at which the run rests. */
  readonly mostPaths: number;
  /** Members of `include` beside accuracy, distribution, plan and warnings. */
  readonly include?: string;
  /** Query parameters beside `include`. */
  readonly query?: Readonly<Record<string, string>>;
  /** The terms of a search whose scores are drawn as a curve. */
  curve?(answer: OperationBody): ScoreTerms;
  /** False for an operation without a distribution. */
  readonly distributes: boolean;
  /** False where the figures need a search on the server: this browser runs its curve only. */
  readonly figuresInBrowser: boolean;
}

export interface LiveState {
  readonly status: 'idle' | 'running' | 'done' | 'stopped' | 'refused';
  readonly paths: number;
  /** Paths of the run under way; 0 where none is. */
  readonly runningPaths: number;
  readonly answer: OperationBody | undefined;
  /** Whether the answer is that of an earlier request. */
  readonly outdated: boolean;
  readonly device: string;
  /** Path-steps per second of the latest run; undefined for a run that was too short. */
  readonly rate: number | undefined;
  readonly milliseconds: number;
  readonly filled: string;
  readonly market: string;
  readonly refusal: Refusal | undefined;
  /** Why the server computes in place of the engine of this browser that was chosen; empty where it does not. */
  readonly instead: string;
  /** Of the figures; of fewer paths without weights where the figures weigh their paths. */
  readonly distribution: Distribution | undefined;
  /** Undefined until the plan is read. */
  readonly details: ShownPlan | undefined;
  readonly curve: ScoreCurve | undefined;
  readonly plan: PlanText | undefined;
}

const IDLE: LiveState = {
  status: 'idle',
  paths: 0,
  runningPaths: 0,
  answer: undefined,
  outdated: false,
  device: '',
  rate: undefined,
  milliseconds: 0,
  filled: '',
  market: '',
  refusal: undefined,
  instead: '',
  distribution: undefined,
  details: undefined,
  curve: undefined,
  plan: undefined,
};

const DEBOUNCE_MS = 200;
const FIRST_PATHS = 1000;
/** A curve on an engine of this browser takes no more paths. */
const MAX_CURVE_PATHS = 1_000_000;
/** Paths of the distribution that is asked for apart. */
const UNWEIGHTED_PATHS = 10_000;
/** A shorter run has no rate: the clock is too coarse. */
const MIN_TIMED_MS = 5;

export interface Live {
  readonly state: Signal<LiveState>;
  stop(): void;
  /** Continues after a stop. */
  resume(): void;
}

/** Follows a request. */
export function useLive(request: LiveRequest, place: Place): Live {
  const [live] = useState(() => ({
    state: signal<LiveState>(IDLE),
    run: undefined as LiveRun | undefined,
    stop() {
      this.run?.stop();
    },
    resume() {
      this.run?.goOn();
    },
  }));
  const key = apiKey.value;
  const text = JSON.stringify([request.path, request.body(FIRST_PATHS), request.seed, request.query]);

  useEffect(() => {
    live.run?.end();
    live.run = undefined;
    if (key === '') {
      live.state.value = IDLE;
      return;
    }
    const run = new LiveRun(request, place, live.state);
    live.run = run;
    const timer = setTimeout(() => run.goOn(), DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      run.end();
    };
  }, [text, place, key]);
  useEffect(() => live.run?.extend(request.mostPaths), [request.mostPaths]);
  return live;
}

/** Accuracy of this browser with the exact figures of the server: these do not depend on the paths. */
const withExact = (accuracy: Readonly<Record<string, unknown>>, ofServer: Accuracies = {}): Accuracies =>
  Object.fromEntries(
    Object.entries(accuracy as Accuracies).map(([name, figure]) => {
      const exact = ofServer[name]?.exact;
      return [name, exact === undefined ? figure : { ...figure, exact }];
    }),
  );

/** One request, run with more and more paths. */
class LiveRun {
  private readonly request: LiveRequest;
  private readonly place: Place;
  private readonly state: Signal<LiveState>;
  private limit: number;
  private nextPaths = FIRST_PATHS;
  private plan: PlanText | undefined;
  /** The plan whose details are shown. */
  private readPlan: PlanText | undefined;
  private stepsPerPath: number | undefined;
  private first: Answered<OperationBody> | undefined;
  private fullCurve = false;
  /** Why the chosen engine of this browser does not compute. */
  private instead: string | undefined;
  private ending: AbortController | undefined;
  private ended = false;

  constructor(request: LiveRequest, place: Place, state: Signal<LiveState>) {
    this.request = request;
    this.place = place;
    this.state = state;
    this.limit = request.mostPaths;
  }

  /** Lets the run continue to another number of paths. */
  extend(limit: number): void {
    this.limit = limit;
    if (this.first !== undefined && this.state.value.status === 'done') this.goOn();
  }

  stop(): void {
    this.ending?.abort();
    if (this.state.value.status === 'running') this.put({ status: 'stopped', runningPaths: 0 });
  }

  /** Ends the run for good: nothing of it is shown any more. */
  end(): void {
    this.ended = true;
    this.ending?.abort();
  }

  /** Runs until the limit; does nothing where a run is under way. */
  goOn(): void {
    if (this.ended || this.ending?.signal.aborted === false) return;
    const ending = new AbortController();
    this.ending = ending;
    this.work(ending.signal)
      .then(
        () => this.put({ status: 'done', runningPaths: 0 }),
        (error: unknown) => {
          if (!ending.signal.aborted) this.refuse(error);
        },
      )
      .finally(() => ending.abort());
  }

  private async work(signal: AbortSignal): Promise<void> {
    this.put({ status: 'running', outdated: this.first === undefined, refusal: undefined });
    if (this.first === undefined) await this.ask(signal);
    if (this.weighs && this.state.value.distribution === undefined) await this.askUnweighted(signal);
    await this.showDetails(signal);
    if (this.instead === undefined) await this.findEngine();
    if (this.state.value.curve === undefined) await this.drawCurveOf('quick', undefined, signal);
    if (!this.request.refines) await this.drawFullCurve(0, signal);
    while (this.request.refines && this.nextPaths <= this.limit) {
      const paths = this.nextPaths;
      this.put({ runningPaths: paths });
      if (this.runsHere) await this.runHere(paths, signal);
      else await this.runOnServer(paths, signal);
      this.nextPaths = 10 * paths;
      await this.drawFullCurve(paths, signal);
    }
  }

  /** The first question: figures of 1,000 paths, and the plan. */
  private async ask(signal: AbortSignal): Promise<void> {
    const first = await this.askPlan(signal);
    this.first = first;
    this.put({
      outdated: false,
      distribution: undefined,
      details: undefined,
      curve: undefined,
    });
    this.show(first);
    this.nextPaths = 10 * FIRST_PATHS;
    this.take(first.body);
  }

  /** A server without `ALLOW_PLAN` answers without a plan. */
  private async askPlan(signal: AbortSignal): Promise<Answered<OperationBody>> {
    try {
      return await this.send(FIRST_PATHS, [...this.members, 'plan'], signal);
    } catch (error) {
      const withoutPlan =
        error instanceof Refusal && error.faults.every(({ path }) => path === 'query.include');
      if (!withoutPlan || error.faults.length === 0) throw error;
      return this.send(FIRST_PATHS, this.members, signal);
    }
  }

  /** Counts have no weights: the distribution of plain paths is asked for apart. */
  private async askUnweighted(signal: AbortSignal): Promise<void> {
    const paths = Math.min(UNWEIGHTED_PATHS, this.limit);
    const { body } = await this.send(paths, ['distribution'], signal, {});
    this.put({ distribution: body.Distribution });
  }

  /** Whether the chosen engine of this browser is there and runs the plan; else the server computes. */
  private async findEngine(): Promise<void> {
    this.instead = '';
    if (!this.inBrowser) {
      this.put({ instead: '' });
      return;
    }
    const missing = await missingEngine(this.place);
    const { unsupported = [] } = this.state.value.details ?? {};
    if (missing !== undefined) this.instead = missing;
    else if (this.request.figuresInBrowser && this.plan === undefined)
      this.instead = 'this server hands out no plans, so nothing can run in this browser';
    else if (this.request.figuresInBrowser && unsupported.includes(this.engine)) this.instead = NOT_RUN;
    this.put({ instead: this.instead });
    if (this.runsHere) this.nextPaths = FIRST_PATHS;
  }

  private take({ Plan }: OperationBody): void {
    this.plan = Plan === undefined ? undefined : { text: JSON.stringify(Plan) };
    this.put({ plan: this.plan });
  }

  /** What charts show of the plan beside the distribution. */
  private async showDetails(signal: AbortSignal): Promise<void> {
    const { plan, first } = this;
    if (plan === undefined || plan === this.readPlan) return;
    const details = await readDetails(plan, signal);
    if (this.stepsPerPath === undefined && first !== undefined) {
      this.stepsPerPath = details.stepsPerPath;
      this.put({ rate: this.rateOf(first.scenarios, first.milliseconds) });
    }
    this.readPlan = plan;
    this.put({ details });
  }

  private send(
    paths: number,
    include: readonly string[],
    signal: AbortSignal,
    query = this.request.query ?? {},
  ): Promise<Answered<OperationBody>> {
    const { path, body, seed } = this.request;
    return postOperation(path, body(paths), {
      query,
      compute: this.place.startsWith('server-') ? this.place.slice('server-'.length) : 'auto',
      seed,
      include: include.join(),
      signal,
    });
  }

  private async runOnServer(paths: number, signal: AbortSignal): Promise<void> {
    // A search ends at another plan with other paths.
    const isSearch = !this.request.figuresInBrowser && this.plan !== undefined;
    const answered = await this.send(paths, [...this.members, ...(isSearch ? ['plan'] : [])], signal);
    this.show(answered);
    if (!isSearch) return;
    this.fullCurve = false;
    this.take(answered.body);
    await this.showDetails(signal);
  }

  private async runHere(paths: number, signal: AbortSignal): Promise<void> {
    if (this.plan === undefined || this.first === undefined) throw new Error('There is no plan yet.');
    const { body } = this.first;
    const run = await runInBrowser(this.plan, this.engine, paths, body.Arguments, signal);
    const member = body.Output === undefined ? 'Results' : 'Output';
    this.put({
      paths,
      answer: {
        ...body,
        [member]: { ...body[member], ...run.figures },
        Accuracy: { level: LEVEL, figures: withExact(run.accuracy, body.Accuracy?.figures) },
      },
      ...(run.distribution && { distribution: run.distribution }),
      device: run.device,
      milliseconds: run.milliseconds,
      rate: run.milliseconds < MIN_TIMED_MS ? undefined : (1000 * run.pathSteps) / run.milliseconds,
    });
  }

  /** The full curve by the reference once, or with the paths of the run where this browser runs it. */
  private async drawFullCurve(paths: number, signal: AbortSignal): Promise<void> {
    if (this.inBrowser && paths > 0 && paths <= MAX_CURVE_PATHS)
      await this.drawCurveOf('full', { engine: this.engine, paths }, signal);
    else if (!this.inBrowser && !this.fullCurve) await this.drawCurveOf('full', undefined, signal);
    this.fullCurve = true;
  }

  private async drawCurveOf(
    extent: 'quick' | 'full',
    on: { readonly engine: 'gpu' | 'simd'; readonly paths: number } | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { curve } = this.request;
    if (curve === undefined || this.plan === undefined || this.first === undefined) return;
    const drawn = await drawCurve(this.plan, curve(this.first.body), extent, on, signal);
    this.put({ curve: drawn });
  }

  private show(answered: Answered<OperationBody>): void {
    const { scenarios, device, milliseconds, filled, market } = answered;
    const { Plan: _, Distribution, ...answer } = answered.body;
    this.put({
      paths: scenarios,
      answer: {
        ...(this.first?.body.Model === undefined ? {} : { Model: this.first.body.Model }),
        ...answer,
      },
      ...(Distribution && { distribution: Distribution }),
      device,
      milliseconds,
      rate: this.rateOf(scenarios, milliseconds),
      filled,
      market,
    });
  }

  /** By the clock of this page: the network and the calibration are in it. */
  private rateOf(paths: number, milliseconds: number): number | undefined {
    if (this.stepsPerPath === undefined || milliseconds < MIN_TIMED_MS) return undefined;
    return (1000 * paths * this.stepsPerPath) / milliseconds;
  }

  private refuse(error: unknown): void {
    this.put({ status: 'refused', runningPaths: 0, refusal: asRefusal(error) });
  }

  private put(changed: Partial<LiveState>): void {
    if (!this.ended) this.state.value = { ...this.state.value, ...changed };
  }

  /** Whether the figures weigh their paths. */
  private get weighs(): boolean {
    return this.request.query?.sampling === 'tail';
  }

  /** Members of `include` of every answer. */
  private get members(): readonly string[] {
    const { include } = this.request;
    const distribution = this.weighs || !this.request.distributes ? [] : ['distribution'];
    return ['accuracy', ...distribution, 'warnings', ...(include === undefined ? [] : [include])];
  }

  /** Whether the figures are computed in this browser. */
  private get runsHere(): boolean {
    return this.inBrowser && this.request.figuresInBrowser;
  }

  private get inBrowser(): boolean {
    return this.place.startsWith('browser-') && (this.instead ?? '') === '';
  }

  private get engine(): 'gpu' | 'simd' {
    return this.place === 'browser-gpu' ? 'gpu' : 'simd';
  }
}
