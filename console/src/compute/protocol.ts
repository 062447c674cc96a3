/** Messages between the page and its worker. */

import type { ScoreTerms } from '#src/question/origination/score.ts';
import type { Distribution } from './answer.ts';
import type { ScoreCurve } from './curve.ts';
import type { FigureTerms } from './figures.ts';
import type { PlanDetails } from './plan-details.ts';

export type BrowserEngine = 'gpu' | 'simd';

export type Task =
  | { readonly kind: 'details'; readonly plan: string }
  | {
      readonly kind: 'curve';
      readonly plan: string;
      readonly terms: ScoreTerms;
      /** Absent: the reference. */
      readonly on?: { readonly engine: BrowserEngine; readonly paths: number };
      /** Of the reference: `quick` from 1,000 paths, `full` from as many as a second of work allows. */
      readonly extent: 'quick' | 'full';
    }
  | {
      readonly kind: 'run';
      readonly plan: string;
      readonly engine: BrowserEngine;
      readonly paths: number;
      readonly terms: FigureTerms;
    }
  | { readonly kind: 'probe' };

/** Figures of a run in the browser. */
export interface BrowserRun {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly accuracy: Readonly<Record<string, unknown>>;
  /** Present where the plan names it. */
  readonly distribution: Distribution | undefined;
  readonly device: string;
  readonly milliseconds: number;
  readonly pathSteps: number;
}

/** The engines of this browser: a device's name, or why there is none. */
export interface Probe {
  readonly gpu: { readonly name: string } | { readonly missing: string };
  readonly simd: { readonly name: string } | { readonly missing: string };
}

/** What the page shows of a plan, and the engines of a browser that do not run it. */
export type ShownPlan = PlanDetails & { readonly unsupported: readonly BrowserEngine[] };

/** Why an engine of this browser is not offered for a plan. */
export const NOT_RUN = 'it does not run this question under this methodology';

/** What each kind of task gives. */
export interface Results {
  readonly details: ShownPlan;
  readonly curve: ScoreCurve;
  readonly run: BrowserRun;
  readonly probe: Probe;
}

/** A task with its number, or the abort of the task of a number. */
export type Ask = (Task & { readonly id: number }) | { readonly kind: 'abort'; readonly id: number };

export type Reply =
  | { readonly id: number; readonly result: Results[keyof Results] }
  | { readonly id: number; readonly error: string };
