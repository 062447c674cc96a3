/** The same question under several methodologies, side by side. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type PostPath, post } from '../api/request.ts';
import type { OperationBody } from '../compute/answer.ts';
import { coverageUnit } from '../state/session.ts';
import { figureName, inOrder } from './figure-names.ts';
import { FigureMatrix, type Figures } from './figures.tsx';
import { inWords } from './member-words.ts';

/** Figures that every methodology has the same: what the window was. */
const OF_WINDOW = /Volatility$|Correlation$|^Volume|^Maximum/;

export function ModelsPanel(props: {
  readonly path: PostPath;
  readonly models: readonly string[];
  body(type: string): unknown;
  figures(answer: OperationBody): Figures;
  readonly seed: string;
}) {
  const { path, models, body, figures, seed } = props;
  const answers = useSignal<Readonly<Record<string, Figures>>>({});
  const notes = useSignal<readonly string[]>([]);
  const busy = useSignal('');
  const question = JSON.stringify([path, body(models[0]), seed]);
  useEffect(() => {
    answers.value = {};
    notes.value = [];
  }, [question]);

  const ask = async () => {
    answers.value = {};
    notes.value = [];
    for (const type of models) {
      busy.value = type;
      try {
        const answered = await post(path, body(type), { seed });
        answers.value = { ...answers.value, [type]: figures(answered.body as unknown as OperationBody) };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        notes.value = [...notes.value, `${type}: ${inWords(message)}`];
      }
    }
    busy.value = '';
  };
  const types = Object.keys(answers.value);
  const names = inOrder([...new Set(Object.values(answers.value).flatMap(Object.keys))]).filter(
    name => !OF_WINDOW.test(name),
  );
  const flat = Object.fromEntries(
    types.flatMap(type =>
      Object.entries(answers.value[type]).map(([name, value]) => [`${type} ${name}`, value] as const),
    ),
  );
  return (
    <section class="compare models">
      <h3>Methodologies side by side</h3>
      <button type="button" class="quiet" onClick={ask} disabled={busy.value !== ''}>
        {busy.value === '' ? `Ask ${models.length} methodologies` : `Running ${busy.value}`}
      </button>
      {types.length > 0 && (
        <FigureMatrix
          label="Figures by methodology"
          corner="Figure"
          columns={types}
          rows={names.map(name => ({
            name: figureName(name, coverageUnit.value).label,
            meaning: name,
            cells: types.map(type => ({ key: `${type} ${name}`, figure: name })),
          }))}
          figures={flat}
          accuracy={undefined}
        />
      )}
      {notes.value.map(note => (
        <p class="hint" key={note}>
          {note}
        </p>
      ))}
    </section>
  );
}
