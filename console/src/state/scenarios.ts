/** The scenarios that the server has by name; asked when the key changes. */
import { effect, signal } from '@preact/signals';
import { getScenarios, type ScenariosAnswer } from '../api/request.ts';
import { apiKey } from './session.ts';

export type NamedScenario = ScenariosAnswer['scenarios'][number];

export const namedScenarios = signal<readonly NamedScenario[]>([]);

effect(() => {
  if (apiKey.value === '') return;
  const ending = new AbortController();
  getScenarios(ending.signal).then(
    ({ body }) => {
      namedScenarios.value = body.scenarios;
    },
    () => {
      // A server without the path, or a key without the right: falls alone are offered.
      if (!ending.signal.aborted) namedScenarios.value = [];
    },
  );
  return () => ending.abort();
});
