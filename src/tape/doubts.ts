/**
 * Loans whose figures can hardly be right at the prices: amounts in smallest units, an LTV above 300 %, one loan beside which the book is
 * small. They are asked about, and computed where the caller accepts them.
 *
 * Must not know: cells, files.
 */
import { grouped, levelText } from '../text/grouped.ts';
import { remedy } from './remedies.ts';
import { DECIMALS } from './smallest-units.ts';
import type { TapeFault, TapeLoan } from './tape.ts';
import { owedUnits, owedUsd, type Prices, priceOf, unitsOf } from './valuation.ts';

/** Largest LTV of a loan that is taken without a question. */
const MOST_LTV = 3;
/** Least LTV in units that a reading in smallest units must reach. */
const LEAST_LTV = 0.01;
/** Largest loan over the median loan of a book. */
const MOST_OVER_MEDIAN = 100;
/** Fewest loans of a book with a median. */
const MIN_LOANS = 5;
/** USD; no loan against coins is as large. */
const MOST_USD = 1e11;

/** @param accepted ids of loans that the caller has looked at */
export function doubtfulLoans(
  loans: readonly TapeLoan[],
  prices: Prices,
  accepted: readonly string[] = [],
): readonly TapeFault[] {
  const known = new Set(accepted);
  const valued = loans.map(loan => ({
    loan,
    loanUsd: owedUsd(loan, prices),
    collateralUsd: loan.collateral.reduce(
      (sum, line) => sum + unitsOf(line, prices) * priceOf(line.asset, prices),
      0,
    ),
  }));
  const sizes = valued.map(({ loanUsd }) => loanUsd).sort((a, b) => a - b);
  const median = sizes.length < MIN_LOANS ? Number.POSITIVE_INFINITY : sizes[Math.floor(sizes.length / 2)];
  return valued.flatMap(({ loan, loanUsd, collateralUsd }): TapeFault[] => {
    if (known.has(loan.id)) return [];
    const place = { code: 'out_of_range' as const, line: loan.lines[0], id: loan.id };
    const columns = inSmallestUnits(loan, loanUsd, collateralUsd, prices);
    if (columns.length > 0)
      return [{ ...place, column: columns[0], ...smallestFault(loan, columns, prices) }];
    const ltv = loanUsd / collateralUsd;
    if (ltv > MOST_LTV)
      return [
        {
          ...place,
          column: 'loan_amount',
          message: `the LTV today is ${levelText(Number(ltv.toPrecision(3)))}: ${usdText(loanUsd)} USD against collateral of ${usdText(collateralUsd)} USD`,
          remedy: remedy('accept', loan.id),
        },
      ];
    if (loanUsd > MOST_OVER_MEDIAN * median)
      return [
        {
          ...place,
          column: 'loan_amount',
          message: `the loan is ${usdText(loanUsd)} USD, more than ${MOST_OVER_MEDIAN} times the median loan of the tape (${usdText(median)} USD)`,
          remedy: remedy('accept', loan.id),
        },
      ];
    return [];
  });
}

type AmountColumn = 'collateral_amount' | 'loan_amount';

/** The columns whose amounts look like smallest units: only so is the LTV one of a loan. */
function inSmallestUnits(
  loan: TapeLoan,
  loanUsd: number,
  collateralUsd: number,
  prices: Prices,
): readonly AmountColumn[] {
  const isPossible = (ltv: number, usd: number) => ltv >= LEAST_LTV && ltv <= MOST_LTV && usd < MOST_USD;
  if (isPossible(loanUsd / collateralUsd, loanUsd)) return [];
  const decimalsOfLoan = DECIMALS[loan.loanAsset];
  const isWholeLoan = Number.isInteger(loan.loanAmount) && decimalsOfLoan !== undefined;
  const isWhole = loan.collateral.every(
    ({ asset, amount }) => Number.isInteger(amount) && DECIMALS[asset] !== undefined,
  );
  const scaledLoan = isWholeLoan ? loanUsd / 10 ** decimalsOfLoan : Number.NaN;
  const scaled = isWhole
    ? loan.collateral.reduce(
        (sum, line) =>
          sum + (unitsOf(line, prices) / 10 ** DECIMALS[line.asset]) * priceOf(line.asset, prices),
        0,
      )
    : Number.NaN;
  const readings: readonly (readonly [columns: readonly AmountColumn[], loan: number, collateral: number])[] =
    [
      [['collateral_amount'], loanUsd, scaled],
      [['loan_amount'], scaledLoan, collateralUsd],
      [['collateral_amount', 'loan_amount'], scaledLoan, scaled],
    ];
  // A loan of a dollar or less is none.
  const found = readings.find(([, owed, pledged]) => owed > 1 && isPossible(owed / pledged, owed));
  return found?.[0] ?? [];
}

function smallestFault(loan: TapeLoan, columns: readonly AmountColumn[], prices: Prices) {
  const [{ asset, amount = Number.NaN }] = loan.collateral;
  const [units, symbol] =
    columns[0] === 'loan_amount' ? [owedUnits(loan, prices), loan.loanAsset] : [amount, asset];
  return {
    message: `${grouped(units, 0)} ${symbol} are ${usdText(units * priceOf(symbol, prices))} USD: is the amount in smallest units, ${units / 10 ** DECIMALS[symbol]} ${symbol}?`,
    remedy: remedy('smallestUnits', columns.join(' ')),
  };
}

const usdText = (usd: number) => (usd >= 1e15 ? usd.toExponential(2) : grouped(usd, usd < 100 ? 2 : 0));
