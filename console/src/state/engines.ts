/** The engines: those of this browser, which the worker opens once, and the GPU of the server. Both are asked for when the page opens. */

import { effect, signal } from '@preact/signals';
import { messageOf } from '#core/errors.ts';
import { getHealth, type HealthAnswer } from '../api/request.ts';
import { probeBrowser } from '../compute/pool.ts';
import { recoveries } from './outage.ts';

export interface EngineState {
  readonly name?: string;
  /** Why the engine cannot be chosen. */
  readonly missing?: string;
}

/** By place of computation; a place without an entry can be chosen. */
export const engineStates = signal<
  Readonly<Partial<Record<'server-gpu' | 'browser-gpu' | 'browser-simd', EngineState>>>
>({});

const SERVER_GPU: Readonly<Record<HealthAnswer['gpu'], EngineState>> = {
  ready: {},
  restarting: {},
  none: { missing: 'this server has no GPU' },
  'given-up': { missing: 'the GPU of this server has failed' },
};

const put = (states: typeof engineStates.value) => {
  engineStates.value = { ...engineStates.value, ...states };
};

const browserEngines = probeBrowser().then(
  ({ gpu, simd }) => put({ 'browser-gpu': gpu, 'browser-simd': simd }),
  (error: unknown) => {
    const missing = messageOf(error);
    put({ 'browser-gpu': { missing }, 'browser-simd': { missing } });
  },
);

/** Why an engine of this browser is not there; undefined where it is. */
export async function missingEngine(place: string): Promise<string | undefined> {
  await browserEngines;
  return engineStates.value[place as keyof typeof engineStates.value]?.missing;
}

// Asked again when the server has come back.
effect(() => {
  void recoveries.value;
  getHealth().then(
    ({ body }) => put({ 'server-gpu': SERVER_GPU[body.gpu] }),
    () => put({ 'server-gpu': { missing: 'the server has not said whether it has one' } }),
  );
});
