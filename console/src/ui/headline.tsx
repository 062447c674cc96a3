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
      <p class="first">{first}</p>
      {others.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  );
}
