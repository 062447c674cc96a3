import { NARROW } from './format.ts';

/** A number stays on the line of its unit. */
const kept = (sentence: string) => sentence.replace(/(\d) (?=(?:%|USD)(?![a-z]))/g, `$1${NARROW}`);

/** An answer in sentences, above its figures. */
export function Headline({
  sentences,
  synthetic,
}: {
  readonly sentences: readonly string[];
  /** The prices are made up. */
  readonly synthetic: boolean;
}) {
  if (sentences.length === 0) return null;
  const [first, ...others] = sentences;
  return (
    <section class="headline" aria-label="In words">
      {synthetic && <span class="synthetic">Synthetic prices</span>}
      <p class="first">{kept(first)}</p>
      {others.map(sentence => (
        <p key={sentence}>{kept(sentence)}</p>
      ))}
    </section>
  );
}
