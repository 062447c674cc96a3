/** Loans of a month whose own figures are judged, and the names of such figures. */

export type Body = Readonly<Record<string, unknown>>;

const month = (id: string, loan: Body): Body => ({
  id,
  collateral_weights: { BTC: 1 },
  loan_weights: { USD: 1 },
  loan_value: 1000,
  loan_duration: 30,
  mc_top_up: 24,
  ...loan,
});
export const ofLoans = (loans: readonly Body[], figures: readonly string[]) =>
  loans.flatMap(({ id }) => figures.map(figure => `Loans / ${id} / ${figure}`));

/** From one sale on one path in seven to several on most. */
export const SELLING = [
  month('rare', { N: 1.6, M: 1.3, L: 1.2, R: 1.45, partial_sale: { to: 1.5 } }),
  month('halves', { N: 1.45, M: 1.2, L: 1.15, R: 1.21, partial_sale: { to: 100, max_share: 0.5 } }),
  month('tight', { N: 1.45, M: 1.3, L: 1.25, R: 1.31, partial_sale: { to: 1.32 } }),
  month('tighter', { N: 1.6, M: 1.3, L: 1.29, R: 1.305, mc_top_up: 1, partial_sale: { to: 1.31 } }),
  month('called', { N: 1.25, M: 1.3, L: 1.2, R: 1.35, partial_sale: { to: 1.4 } }),
  month('liquidated', { N: 1.15, M: 1.3, L: 1.2, R: 1.35, partial_sale: { to: 1.4 } }),
];

/** Loans that end with the longest path and before it, on its assets and on one that moves more. */
export const FALLING = [
  month('BTC', { N: 1.5, M: 1.3, L: 1.15, R: 1.4 }),
  month('BTC far', { N: 1.9, M: 1.3, L: 1.15, R: 1.4 }),
  month('ETH far', { N: 1.9, M: 1.3, L: 1.15, R: 1.4, collateral_weights: { ETH: 1 } }),
  month('both', { N: 1.7, M: 1.3, L: 1.15, R: 1.4, collateral_weights: { BTC: 0.5, ETH: 0.5 } }),
  month('SOL', { N: 1.9, M: 1.3, L: 1.15, R: 1.4, collateral_weights: { SOL: 1 } }),
  month('a week', { N: 1.2, M: 1.15, L: 1.1, R: 1.18, loan_duration: 7 }),
];

/** Those that lose on 30 paths of most seeds. */
export const LOSING = FALLING.filter(({ id }) => id !== 'BTC far');
