/**
 * A book to try: loans of several sizes, coverages and terms against the assets of the server.
 *
 * Made by a fixed rule, so that everybody who tries it sees the same figures on the same data.
 */
const LOANS = 60;
const COLLATERAL = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'LINK', 'LTC', 'ADA'];

/** @param symbols assets that the server has; those that it has not are left out */
export function sampleBook(symbols: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  const held = COLLATERAL.filter(symbol => symbols.includes(symbol));
  const assets = held.length > 0 ? held : ['BTC'];
  return Array.from({ length: LOANS }, (_, i) => {
    const main = assets[(i * i) % assets.length];
    const other = assets[(i * 3 + 1) % assets.length];
    const M = round(1.08 + 0.02 * (i % 6));
    const N = round(M + 0.06 + 0.04 * (i % 9));
    return {
      id: `loan-${String(i + 1).padStart(3, '0')}`,
      collateral_weights: main === other || i % 3 === 0 ? { [main]: 1 } : { [main]: 0.7, [other]: 0.3 },
      loan_weights: { USD: 1 },
      loan_value: 25_000 * (1 + ((i * 7) % 40)),
      N,
      M,
      L: round(M - 0.04),
      R: N,
      loan_duration: [7, 14, 30, 60][i % 4],
      mc_top_up: [12, 24, 48][i % 3],
    };
  });
}

const round = (value: number) => Number(value.toFixed(2));
