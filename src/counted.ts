/** `1 day`, `2 days`; `1 series`, `2 series`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 || noun.endsWith('s') ? '' : 's'}`;
