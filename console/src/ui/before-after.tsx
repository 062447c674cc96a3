/** The figures of a request without its fall of prices beside those with it, on the same draws. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type PostPath, post } from '../api/request.ts';
import type { OperationBody } from '../compute/answer.ts';
import { apiKey, coverageUnit } from '../state/session.ts';
import { figureName, inOrder } from './figure-names.ts';
import { FigureMatrix, type Figures } from './figures.tsx';

/** What the window was: the same before and after. */
const OF_WINDOW = /Volatility$|Correlation$/;

const numbersOf = (figures: Readonly<Record<string, unknown>>): Figures =>
  Object.fromEntries(
    Object.entries(figures).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );

export function BeforeAfter(props: {
  readonly path: PostPath;
  /** The request as prices are. */
  readonly body: unknown;
  readonly seed: string;
  /** Figures of the request with the fall. */
  readonly after: Readonly<Record<string, unknown>>;
}) {
  const { path, body, seed } = props;
  const before = useSignal<Figures | undefined>(undefined);
  const note = useSignal('');
  const text = JSON.stringify([path, body, seed]);
  useEffect(() => {
    const ending = new AbortController();
    note.value = '';
    post(path, body, { seed, signal: ending.signal }).then(
      answered => {
        before.value = numbersOf((answered.body as unknown as OperationBody).Output ?? {});
      },
      (error: unknown) => {
        if (!ending.signal.aborted) note.value = error instanceof Error ? error.message : String(error);
      },
    );
    return () => ending.abort();
  }, [text, apiKey.value]);
  const after = numbersOf(props.after);
  const names = inOrder(Object.keys(after)).filter(name => !OF_WINDOW.test(name));
  const first = before.value;
  if (first === undefined)
    return <p class="hint">{note.value || 'The loan without the fall is asked for.'}</p>;
  const figures = Object.fromEntries(
    names.flatMap(name => [
      [`before ${name}`, first[name]],
      [`after ${name}`, after[name]],
    ]),
  );
  return (
    <section class="compare before-after">
      <h3>Before and after the fall</h3>
      <FigureMatrix
        label="Figures before and after the fall"
        corner="Figure"
        columns={['As prices are', 'After the fall']}
        rows={names.map(name => ({
          name: figureName(name, coverageUnit.value).label,
          meaning: name,
          cells: [
            { key: `before ${name}`, figure: name },
            { key: `after ${name}`, figure: name },
          ],
        }))}
        figures={figures}
        accuracy={undefined}
      />
    </section>
  );
}
