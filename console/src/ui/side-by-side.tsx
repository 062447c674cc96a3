/** The figures of one request in several columns: under other methodologies, and before and after a fall of prices. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '#core/errors.ts';
import { type PostPath, postOperation } from '../api/request.ts';
import { type Figures, numbersOf, type OperationBody } from '../compute/answer.ts';
import { recoveries } from '../state/outage.ts';
import { apiKey, coverageUnit } from '../state/session.ts';
import { figureName, inOrder } from './figure-names.ts';
import { FigureMatrix, OF_WINDOW } from './figures.tsx';
import { inWords } from './member-words.ts';

/** @param columns figures by the heading of their column */
function FiguresSideBySide(props: { label: string; columns: Readonly<Record<string, Figures>> }) {
  const { label, columns } = props;
  const headings = Object.keys(columns);
  const names = inOrder([...new Set(Object.values(columns).flatMap(Object.keys))]).filter(
    name => !OF_WINDOW.test(name),
  );
  const flat = Object.fromEntries(
    headings.flatMap(heading =>
      Object.entries(columns[heading]).map(([name, value]) => [`${heading} ${name}`, value] as const),
    ),
  );
  return (
    <FigureMatrix
      label={label}
      corner="Figure"
      columns={headings}
      rows={names.map(name => ({
        name: figureName(name, coverageUnit.value).label,
        code: name,
        cells: headings.map(heading => ({ key: `${heading} ${name}`, figure: name })),
      }))}
      figures={flat}
      accuracy={undefined}
    />
  );
}

/** The same question under several methodologies. */
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
  const clear = () => {
    answers.value = {};
    notes.value = [];
  };
  useEffect(clear, [JSON.stringify([path, body(models[0]), seed])]);

  const ask = async () => {
    clear();
    for (const type of models) {
      busy.value = type;
      try {
        const answered = await postOperation(path, body(type), { seed });
        answers.value = { ...answers.value, [type]: figures(answered.body) };
      } catch (error) {
        notes.value = [...notes.value, `${type}: ${inWords(messageOf(error))}`];
      }
    }
    busy.value = '';
  };
  return (
    <section class="compare models">
      <h3>Methodologies side by side</h3>
      <button type="button" class="quiet" onClick={ask} disabled={busy.value !== ''}>
        {busy.value === '' ? `Ask ${models.length} methodologies` : `Running ${busy.value}`}
      </button>
      {Object.keys(answers.value).length > 0 && (
        <FiguresSideBySide label="Figures by methodology" columns={answers.value} />
      )}
      {notes.value.map(note => (
        <p class="hint" key={note}>
          {note}
        </p>
      ))}
    </section>
  );
}

/** The figures of a request without its fall or rise of prices beside those with it, on the same draws. */
export function BeforeAfter(props: {
  readonly path: PostPath;
  /** The request as prices are. */
  readonly body: unknown;
  readonly seed: string;
  readonly move: 'fall' | 'rise';
  /** Figures of the request with it. */
  readonly after: Figures;
}) {
  const { path, body, seed, move, after } = props;
  const before = useSignal<Figures | undefined>(undefined);
  const note = useSignal('');
  useEffect(() => {
    const ending = new AbortController();
    note.value = '';
    postOperation(path, body, { seed, signal: ending.signal }).then(
      answered => {
        before.value = numbersOf(answered.body.Output);
      },
      (error: unknown) => {
        if (!ending.signal.aborted) note.value = messageOf(error);
      },
    );
    return () => ending.abort();
  }, [JSON.stringify([path, body, seed]), apiKey.value, recoveries.value]);
  if (before.value === undefined)
    return <p class="hint">{note.value || `The loan without the ${move} is computed.`}</p>;
  return (
    <section class="compare before-after">
      <h3>Before and after the {move}</h3>
      <FiguresSideBySide
        label={`Figures before and after the ${move}`}
        columns={{ 'As prices are': before.value, [`After the ${move}`]: after }}
      />
    </section>
  );
}
