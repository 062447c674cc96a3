/** What the page and its worker say to each other. */

import type { ScoreTerms } from '../../../src/question/origination/score.ts';
import type { ScoreCurve } from './curve.ts';
import type { FigureTerms } from './figures.ts';
import type { Picture } from './picture.ts';

export type BrowserEngine = 'gpu' | 'simd';

export type Task =
  /** `quick`: from 1,000 paths; `full`: from as many as a second of work allows. */
  | { readonly kind: 'picture'; readonly plan: string; readonly extent: 'quick' | 'full' }
  | {
      readonly kind: 'curve';
      readonly plan: string;
      readonly terms: ScoreTerms;
      /** Absent: the reference, from as many paths as a picture of the same extent. */
      readonly on?: { readonly engine: BrowserEngine; readonly paths: number };
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

/** A picture, and the steps of one path of its plan. */
export interface DrawnPicture {
  readonly picture: Picture;
  readonly stepsPerPath: number;
}

/** Figures of a run in the browser. */
export interface BrowserRun {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly accuracy: Readonly<Record<string, unknown>>;
  readonly device: string;
  readonly milliseconds: number;
  readonly pathSteps: number;
}

/** The engines of this browser: a device's name, or why there is none. */
export interface Probe {
  readonly gpu: { readonly name: string } | { readonly missing: string };
  readonly simd: { readonly name: string } | { readonly missing: string };
}

/** What each kind of task gives. */
export interface Results {
  readonly picture: DrawnPicture;
  readonly curve: ScoreCurve;
  readonly run: BrowserRun;
  readonly probe: Probe;
}

/** A task with its number, or the wish to end the task of a number. */
export type Ask = (Task & { readonly id: number }) | { readonly kind: 'abort'; readonly id: number };

export type Reply =
  | { readonly id: number; readonly result: Results[keyof Results] }
  | { readonly id: number; readonly error: string };
