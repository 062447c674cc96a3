/** What the page and its worker say to each other. */

import type { FigureAccuracy } from '../ui/figures.tsx';
import type { FigureTerms } from './figures.ts';
import type { Picture } from './picture.ts';

export type BrowserEngine = 'gpu' | 'simd';

export type Task =
  | { readonly kind: 'picture'; readonly plan: string; readonly paths: number }
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
  readonly accuracy: Readonly<Record<string, FigureAccuracy>>;
  readonly device: string;
  readonly milliseconds: number;
  readonly pathSteps: number;
}

/** The engines of this browser: a device's name, or why there is none. */
export interface Probe {
  readonly gpu: { readonly name: string } | { readonly missing: string };
  readonly simd: { readonly name: string } | { readonly missing: string };
}

export interface Results {
  readonly picture: Picture;
  readonly run: BrowserRun;
  readonly probe: Probe;
}

/** A task with its number. */
export type Ask = Task & { readonly id: number };

export type Reply =
  | { readonly id: number; readonly result: Results[keyof Results] }
  | { readonly id: number; readonly error: string };
