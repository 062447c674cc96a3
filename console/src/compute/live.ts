/**
 * Runs the request of a view as it is edited: 1,000 paths at once, then ten times more, until stopped.
 *
 * Takes: a path and a body by number of paths. Gives: a signal with the latest figures. A change aborts what runs; a larger
 * number of paths goes on from where the run stands.
 */
import { type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Warning } from '../../../src/core/warnings.ts';
import type { ScoreTerms } from '../../../src/question/origination/score.ts';
import { type Answered, type Fault, type PostPath, post, Refusal } from '../api/request.ts';
import { apiKey } from '../state/session.ts';
import type { FigureAccuracy } from './accuracy.ts';
import { LEVEL } from './accuracy.ts';
import type { ScoreCurve } from './curve.ts';
import type { Picture } from './picture.ts';
import { drawCurve, drawPicture, type PlanText, runInBrowser } from './pool.ts';

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
  /** Members of `include` beside accuracy, plan and warnings. */
  readonly include?: string;
  /** Query parameters beside `include`. */
  readonly query?: Readonly<Record<string, string>>;
  /** The terms of a search whose scores are drawn as a curve. */
  curve?(answer: OperationBody): ScoreTerms;
  /** False where the figures need a search on the server: this browser runs its curve only. */
  readonly figuresInBrowser: boolean;
}

/** The body of an answer, as far as all operations have it in common. */
export interface OperationBody {
  readonly Arguments: Readonly<Record<string, unknown>>;
  readonly Output?: Readonly<Record<string, unknown>>;
  readonly Results?: Readonly<Record<string, unknown>>;
  readonly Accuracy?: { readonly level: number; readonly figures: Readonly<Record<string, FigureAccuracy>> };
  readonly Model?: Readonly<Record<string, unknown>>;
  readonly Plan?: unknown;
  readonly Warnings?: readonly Warning[];
  readonly 'Risk engine version': string;
}

export interface LiveState {
  readonly status: 'idle' | 'running' | 'done' | 'stopped' | 'refused';
  readonly paths: number;
  /** Paths of the run under way; 0 where none is. */
  readonly runningPaths: number;
  readonly answer: OperationBody | undefined;
  /** Accuracy of the first run, against which later ones are seen to shrink. */
  readonly firstAccuracy: OperationBody['Accuracy'];
  readonly device: string;
  /** Path-steps per second of the latest run; undefined where it was too short to tell. */
  readonly rate: number | undefined;
  readonly milliseconds: number;
  /** Hours of a step of the plan: 24 for windows of daily history. */
  readonly stepHours: number;
  /** Steps of a path of the plan; 0 until the plan is here. */
  readonly stepsPerPath: number;
  readonly filled: string;
  readonly market: string;
  readonly message: string;
  readonly faults: readonly Fault[];
  readonly picture: Picture | undefined;
  readonly curve: ScoreCurve | undefined;
  readonly plan: PlanText | undefined;
}

const IDLE: LiveState = {
  status: 'idle',
  paths: 0,
  runningPaths: 0,
  answer: undefined,
  firstAccuracy: undefined,
  device: '',
  rate: undefined,
  milliseconds: 0,
  stepHours: 1,
  stepsPerPath: 0,
  filled: '',
  market: '',
  message: '',
  faults: [],
  picture: undefined,
  curve: undefined,
  plan: undefined,
};

const DEBOUNCE_MS = 200;
const FIRST_PATHS = 1000;
/** A curve on an engine of this browser takes no more paths. */
const MAX_CURVE_PATHS = 1_000_000;
/** A shorter run tells nothing of a rate. */
const MIN_TIMED_MS = 5;

export interface Live {
  readonly state: Signal<LiveState>;
  stop(): void;
  /** Goes on after a stop. */
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
const withExact = (
  accuracy: Readonly<Record<string, unknown>>,
  told: Readonly<Record<string, FigureAccuracy>> | undefined,
): Readonly<Record<string, FigureAccuracy>> =>
  Object.fromEntries(
    Object.entries(accuracy as Readonly<Record<string, FigureAccuracy>>).map(([name, figure]) => {
      const exact = told?.[name]?.exact;
      return [name, exact === undefined ? figure : { ...figure, exact }];
    }),
  );

/** The plan of an answer as text, for the worker. */
const planOf = ({ Plan }: OperationBody): PlanText | undefined =>
  Plan === undefined ? undefined : { text: JSON.stringify(Plan) };

/** One request, run with more and more paths. */
class LiveRun {
  private readonly request: LiveRequest;
  private readonly place: Place;
  private readonly state: Signal<LiveState>;
  private limit: number;
  private nextPaths = FIRST_PATHS;
  private plan: PlanText | undefined;
  private stepsPerPath: number | undefined;
  private first: Answered<OperationBody> | undefined;
  private fullPicture = false;
  private ending: AbortController | undefined;
  private ended = false;

  constructor(request: LiveRequest, place: Place, state: Signal<LiveState>) {
    this.request = request;
    this.place = place;
    this.state = state;
    this.limit = request.mostPaths;
  }

  /** Lets the run go on to another number of paths. */
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
    this.put({ status: 'running', message: '', faults: [] });
    if (this.first === undefined) await this.ask(signal);
    const more = this.request.refines;
    while (more && this.nextPaths <= this.limit) {
      const paths = this.nextPaths;
      this.put({ runningPaths: paths });
      await this.runWith(paths, signal);
      this.nextPaths = 10 * paths;
      await this.draw(paths, signal);
    }
    if (!more) await this.draw(0, signal);
  }

  /** The first question: figures of 1,000 paths, the plan, and the picture of it. */
  private async ask(signal: AbortSignal): Promise<void> {
    const first = await this.askPlan(signal);
    this.first = first;
    this.plan = planOf(first.body);
    this.put({ plan: this.plan, firstAccuracy: first.body.Accuracy, picture: undefined, curve: undefined });
    this.show(first);
    if (!this.runsHere) this.nextPaths = 10 * FIRST_PATHS;
    if (this.plan === undefined) return;
    const { picture, stepsPerPath } = await drawPicture(this.plan, 'quick', signal);
    this.stepsPerPath = stepsPerPath;
    this.put({ picture, stepsPerPath, rate: this.rateOf(first.scenarios, first.milliseconds) });
    await this.drawCurveOf('quick', undefined, signal);
  }

  /** A server that hands out no plans answers without one: figures, and no charts. */
  private async askPlan(signal: AbortSignal): Promise<Answered<OperationBody>> {
    try {
      return await this.send(FIRST_PATHS, `accuracy,warnings,plan${this.extra}`, signal);
    } catch (error) {
      const withoutPlan =
        error instanceof Refusal && error.faults.every(({ path }) => path === 'query.include');
      if (!withoutPlan || error.faults.length === 0) throw error;
      return this.send(FIRST_PATHS, `accuracy,warnings${this.extra}`, signal);
    }
  }

  private send(paths: number, include: string, signal: AbortSignal): Promise<Answered<OperationBody>> {
    const { path, body, seed, query = {} } = this.request;
    return post(path, body(paths), {
      query,
      compute: this.inBrowser ? 'auto' : this.place.slice('server-'.length),
      seed,
      include,
      signal,
    }) as Promise<Answered<unknown>> as Promise<Answered<OperationBody>>;
  }

  private async runWith(paths: number, signal: AbortSignal): Promise<void> {
    if (!this.runsHere) {
      // A search ends at another plan with other paths: its picture is drawn anew.
      const searched = !this.request.figuresInBrowser && this.plan !== undefined;
      const answered = await this.send(
        paths,
        `accuracy,warnings${searched ? ',plan' : ''}${this.extra}`,
        signal,
      );
      if (searched) {
        this.plan = planOf(answered.body);
        this.fullPicture = false;
      }
      this.show(answered);
      return;
    }
    if (this.plan === undefined || this.first === undefined)
      throw new Error('This server hands out no plans, so nothing can run in this browser.');
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
      device: run.device,
      milliseconds: run.milliseconds,
      rate: run.milliseconds < MIN_TIMED_MS ? undefined : (1000 * run.pathSteps) / run.milliseconds,
    });
  }

  /** The full picture once, and the curve with the paths of the run where this browser runs it. */
  private async draw(paths: number, signal: AbortSignal): Promise<void> {
    if (this.plan === undefined) return;
    if (!this.fullPicture) {
      const { picture } = await drawPicture(this.plan, 'full', signal);
      this.put({ picture });
      if (!this.inBrowser) await this.drawCurveOf('full', undefined, signal);
      this.fullPicture = true;
    }
    if (this.inBrowser && paths > 0 && paths <= MAX_CURVE_PATHS)
      await this.drawCurveOf('full', { engine: this.engine, paths }, signal);
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

  private show({
    body,
    scenarios,
    device,
    milliseconds,
    filled,
    market,
    grid,
  }: Answered<OperationBody>): void {
    const { Plan: _, ...answer } = body;
    this.put({
      paths: scenarios,
      answer: {
        ...(this.first?.body.Model === undefined ? {} : { Model: this.first.body.Model }),
        ...answer,
      },
      device,
      milliseconds,
      rate: this.rateOf(scenarios, milliseconds),
      stepHours: grid === 'daily' && !this.request.refines ? 24 : 1,
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
    const faults = error instanceof Refusal ? error.faults : [];
    const message = error instanceof Error ? error.message : String(error);
    this.put({ status: 'refused', runningPaths: 0, message, faults });
  }

  private put(changed: Partial<LiveState>): void {
    if (!this.ended) this.state.value = { ...this.state.value, ...changed };
  }

  /** More members of `include`. */
  private get extra(): string {
    return this.request.include === undefined ? '' : `,${this.request.include}`;
  }

  /** Whether the figures are computed in this browser. */
  private get runsHere(): boolean {
    return this.inBrowser && this.request.figuresInBrowser;
  }

  private get inBrowser(): boolean {
    return this.place.startsWith('browser-');
  }

  private get engine(): 'gpu' | 'simd' {
    return this.place === 'browser-gpu' ? 'gpu' : 'simd';
  }
}
