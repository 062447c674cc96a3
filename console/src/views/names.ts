/** The views by what they are about: the name of each in the address, and its label. */
export const VIEW_GROUPS = {
  Position: { loan: 'Loan', liquidity: 'Low liquidity', perpetual: 'Perpetual', account: 'Account' },
  Book: { book: 'Book' },
  Limits: { origination: 'Origination', advance: 'Advance rate', var: 'Value at risk' },
  Evidence: { backtest: 'Back-test', data: 'Data' },
} as const;

type Groups = typeof VIEW_GROUPS;
export type ViewName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

export const VIEW_NAMES = Object.values(VIEW_GROUPS).flatMap(views => Object.keys(views)) as ViewName[];
