/** The items in the order of their texts, no two of which are equal. */
export const sortedBy = <T>(items: Iterable<T>, textOf: (item: T) => string): T[] =>
  [...items].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
