/** Counts with their nouns. */

/** `day` for 1, otherwise `days`; `series` for any. */
export const nounOf = (count: number, noun: string): string =>
  count === 1 || noun.endsWith('s') ? noun : `${noun}s`;

/** `1 day`, `2 days`; `1 series`, `2 series`. */
export const counted = (count: number, noun: string): string => `${count} ${nounOf(count, noun)}`;
