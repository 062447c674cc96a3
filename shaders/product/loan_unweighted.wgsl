// The number of sums of a loan whose paths weigh the same.
// Provides: SUM_COUNT. Expects: LOAN_SUMS.

const SUM_COUNT = LOAN_SUMS;
