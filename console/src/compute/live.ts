/**
 * Runs the request of a view as it is edited: 1,000 paths at once, then ten times more, until stopped.
 *
 * Takes: a path and a body by number of paths. Gives: a signal with the latest figures. A change aborts what runs.
 */
import { type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { type Answered, type Fault, post, Refusal } from '../api/request.ts';
import { apiKey } from '../state/session.ts';
import type { FigureAccuracy } from '../ui/figures.tsx';
import type { Picture } from './picture.ts';
import { drawPicture, type PlanText, runInBrowser } from './pool.ts';

/** Where the figures are computed. */
export const PLACES = {
  'server-auto': 'Server, its choice',
  'server-gpu': 'Server, GPU',
  'server-cpu': 'Server, processor',
  'browser-gpu': 'This browser, GPU',
  'browser-simd': 'This browser, SIMD',
} as const;
export type Place = keyof typeof PLACES;

export interface LiveRequest {
  readonly path: string;
  /** The request with `paths` paths; a methodology without simulation ignores the number. */
  body(paths: number): unknown;
  readonly seed: string;
  /** False for a methodology that takes no number of paths. */
  readonly refines: boolean;
  /** Largest number of paths. */
  readonly mostPaths: number;
}

/** The body of an answer, as far as the console reads it. */
export interface OperationBody {
  readonly Arguments: Readonly<Record<string, unknown>>;
  readonly Output?: Readonly<Record<string, unknown>>;
  readonly Results?: Readonly<Record<string, unknown>>;
  readonly Accuracy?: { readonly level: number; readonly figures: Readonly<Record<string, FigureAccuracy>> };
  readonly Model?: Readonly<Record<string, unknown>>;
  readonly Plan?: unknown;
  readonly Warnings?: readonly { readonly code: string; readonly message: string }[];
  readonly 'Risk engine version': string;
}

export interface LiveState {
  readonly status: 'idle' | 'running' | 'done' | 'stopped' | 'refused';
  readonly paths: number;
  readonly answer: OperationBody | undefined;
  readonly device: string;
  /** Path-steps per second of the latest run; undefined where it was too short to tell. */
  readonly rate: number | undefined;
  readonly milliseconds: number;
  readonly filled: string;
  readonly market: string;
  readonly message: string;
  readonly faults: readonly Fault[];
  readonly picture: Picture | undefined;
  readonly plan: PlanText | undefined;
}

const IDLE: LiveState = {
  status: 'idle',
  paths: 0,
  answer: undefined,
  device: '',
  rate: undefined,
  milliseconds: 0,
  filled: '',
  market: '',
  message: '',
  faults: [],
  picture: undefined,
  plan: undefined,
};

const DEBOUNCE_MS = 250;
const FIRST_PATHS = 1000;
const PICTURE_PATHS = 1000;
/** A shorter run tells nothing of a rate. */
const LEAST_TIMED_MS = 5;

export interface Live {
  readonly state: Signal<LiveState>;
  stop(): void;
}

/** Follows a request; `undefined` while it cannot be formed. */
export function useLive(request: LiveRequest | undefined, place: Place): Live {
  const [live] = useState(() => {
    const state = signal<LiveState>(IDLE);
    let ending = new AbortController();
    return {
      state,
      stop() {
        ending.abort();
        if (state.value.status === 'running') state.value = { ...state.value, status: 'stopped' };
      },
      restart(): AbortSignal {
        ending.abort();
        ending = new AbortController();
        return ending.signal;
      },
    };
  });
  const key = apiKey.value;
  const text =
    request === undefined
      ? ''
      : JSON.stringify([request.path, request.body(FIRST_PATHS), request.seed, request.mostPaths]);

  useEffect(() => {
    const ended = live.restart();
    if (request === undefined || key === '') {
      live.state.value = IDLE;
      return;
    }
    const timer = setTimeout(() => {
      follow(request, place, live.state, ended).catch((error: unknown) => {
        if (!ended.aborted) live.state.value = refused(live.state.value, error);
      });
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      live.restart();
    };
  }, [text, place, key]);
  return live;
}

function refused(state: LiveState, error: unknown): LiveState {
  const faults = error instanceof Refusal ? error.faults : [];
  const message = error instanceof Error ? error.message : String(error);
  return { ...state, status: 'refused', message, faults };
}

async function follow(
  request: LiveRequest,
  place: Place,
  state: Signal<LiveState>,
  ended: AbortSignal,
): Promise<void> {
  state.value = { ...state.value, status: 'running', message: '', faults: [] };
  const inBrowser = place.startsWith('browser-');
  const compute = inBrowser ? 'auto' : place.slice('server-'.length);
  const send = (paths: number, include: string) =>
    post<OperationBody>(request.path, request.body(paths), {
      compute,
      seed: request.seed,
      include,
      signal: ended,
    });
  const first = await send(FIRST_PATHS, 'accuracy,plan,warnings');
  const plan = planText(first.body);
  put(state, first, plan);
  if (plan !== undefined) {
    const picture = await drawPicture(plan, PICTURE_PATHS, ended);
    state.value = { ...state.value, picture };
  }
  const sizes = request.refines ? pathCounts(request.mostPaths) : [];
  if (inBrowser && plan !== undefined) {
    const engine = place === 'browser-gpu' ? 'gpu' : 'simd';
    for (const paths of request.refines ? [FIRST_PATHS, ...sizes] : []) {
      const run = await runInBrowser(plan, engine, paths, first.body.Arguments, ended);
      state.value = {
        ...state.value,
        paths,
        answer: {
          ...first.body,
          [first.body.Output === undefined ? 'Results' : 'Output']: {
            ...(first.body.Output ?? first.body.Results),
            ...run.figures,
          },
          Accuracy: { level: 0.95, figures: run.accuracy },
        },
        device: run.device,
        milliseconds: run.milliseconds,
        rate: rateOf(run.pathSteps, run.milliseconds),
      };
    }
  } else {
    for (const paths of sizes) put(state, await send(paths, 'accuracy,warnings'), plan);
  }
  state.value = { ...state.value, status: 'done' };
}

/** 10,000, 100,000, ... up to `most`. */
export function pathCounts(most: number): number[] {
  const counts: number[] = [];
  for (let paths = 10 * FIRST_PATHS; paths <= most; paths *= 10) counts.push(paths);
  return counts;
}

const planText = (body: OperationBody): PlanText | undefined =>
  body.Plan === undefined ? undefined : { text: JSON.stringify(body.Plan) };

const rateOf = (pathSteps: number, milliseconds: number) =>
  milliseconds < LEAST_TIMED_MS || pathSteps === 0 ? undefined : (1000 * pathSteps) / milliseconds;

function put(state: Signal<LiveState>, answered: Answered<OperationBody>, plan: PlanText | undefined): void {
  const { body, scenarios, device, milliseconds, filled, market } = answered;
  state.value = {
    ...state.value,
    paths: scenarios,
    answer: { ...body, Plan: undefined },
    device,
    milliseconds,
    rate: rateOf(scenarios * stepsOf(body.Arguments), milliseconds),
    filled,
    market,
    plan: plan ?? state.value.plan,
  };
}

/** Hourly steps of a request, from its processed arguments; /var steps from horizon to horizon. */
function stepsOf(terms: Readonly<Record<string, unknown>>): number {
  const { loan_duration: days, trade_duration_hours: hours, var_duration: horizons } = terms;
  if (typeof days === 'number') return Math.max(1, Math.round(24 * days));
  if (typeof hours === 'number') return hours;
  return Array.isArray(horizons) ? horizons.length : 0;
}
