import { allOf } from './all-of.mjs';

/**
 * Mutants of src/core, src/model, src/methodology and src/question that no test can notice; see equivalent.mjs.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const EQUIVALENT_IN_CORE = {
  ...allOf('a typed array ignores what is written beyond its end', 'src/core', [
    'stats/correlation.ts correlationMatrix < to <= #1',
    'stats/correlation.ts centre < to <= #2',
    'book/sum-sets.ts PathSums.add < to <= #1',
    'book/sum-sets.ts inPlainUnits < to <= #1',
    'reference/horizon-paths.ts GbmHorizons.simulate < to <= #2',
    'reference/horizon-paths.ts HistoricalHorizons.simulate < to <= #2',
  ]),
  ...allOf('a bound that no computed value meets exactly', 'src', [
    'core/stats/intervals.ts quantileRanks > to >= #1',
    'core/stats/overlapping-windows.ts enoughEventfulWindows >= to > #1',
    'methodology/warnings.ts tailWarnings >= to > #1',
    'methodology/warnings.ts gbmTailWarnings <= to < #1',
    'methodology/warnings.ts fewRowsWarnings < to <= #1',
  ]),
  ...allOf('all sets are of one book, and have the same lowest ratios', 'src/core/book/sum-sets.ts', [
    'addFlatSets && to || #1',
    'PathSums.constructor 0 to 1 #1',
    'PathSums.constructor 0 to 1 #2',
  ]),
  ...allOf('a sum within rounding of its bound, which the ratio itself then decides', 'src/core/book', [
    'whole-paths.ts WholePaths.isAbove >= to > #1',
    'signed-basket.ts SignedBasket.firstNotBelow * to / #7',
  ]),
  'src/core/book/single-loans.ts SingleLoans.followGroup statement removed #4':
    'the loans are then looked at one by one, and none has an event',
  'src/core/book/sum-sets.ts PathSums.add statement removed #1': 'an amount of 0 adds 0',
  ...allOf('more of the walk is computed than matters to 1e-6', 'src/core/stats/first-passage.ts', [
    'firstPassageProbability / to * #3',
    'firstPassageProbability 2 to 3 #1',
    'firstPassageProbability 1 to 2 #3',
    'firstPassageProbability < to <= #3',
    'firstPassageProbability 0 to 1 #8',
    'firstPassageProbability / to * #7',
    'firstPassageProbability < to <= #4',
    'firstPassageProbability <= to < #2',
    'firstPassageProbability 1 to 2 #5',
  ]),
  ...allOf('another pivot, which finds the same value', 'src/core/stats/weighted-quantile.ts', [
    'weightedQuantile 1 to 2 #2',
    'medianOfThree max to min #1',
    'medianOfThree min to max #1',
    'medianOfThree min to max #2',
    'medianOfThree max to min #2',
  ]),
  ...allOf('a sum that is exactly the share less its tolerance', 'src/core/stats/weighted-quantile.ts', [
    'weightedQuantile >= to > #1',
    'weightedQuantile >= to > #3',
  ]),
  'src/core/stats/selection.ts narrow - to + #6': 'another pivot, which moves the same values',
  'src/core/stats/skewness.ts inverse < to <= #1': 'both formulas are exact where one takes over',
  'src/core/stats/backtest.ts christoffersenTest < to <= #2': 'there is no day after the last one',
  'src/core/stats/backtest.ts quantileScore < to <= #2': 'a distance of 0 has no score',
  'src/core/stats/chi-square.ts complementaryErrorFunction 60 to 61 #1': 'the fraction has converged before',
  'src/core/stats/correlation.ts correlationMatrix 0 to 1 #3':
    'the square of a constant sample, which is not read',
  'src/core/stats/correlation.ts correlationMatrix < to <= #2':
    'the correlation of a sample with itself, which is 1',
  'src/core/stats/correlation.ts centre 0 to 1 #3': 'another scale of the same deviations',
  'src/core/stats/moments.ts correctedMean 0 to 1 #2': 'the second sum corrects the mean of the first',
  'src/core/stats/quantile.ts placePositions > to >= #1': 'one more value is placed',
  'src/core/stats/tail.ts tailsAmong 0 to 1 #1': 'one more value is placed',
  'src/core/stats/quantile.ts placePositions 1 to 2 #1':
    'the value between two that are in their places is in its own',
  'src/core/reference/horizon-paths.ts GbmHorizons.constructor / to * #1': 'draws of pairs without an asset',
  'src/core/reference/horizon-paths.ts drawBlocks < to <= #2': 'a block of no steps',
  'src/core/reference/horizon-paths.ts drawBlocks 0 to 1 #4': 'all assets have as many draws',
  ...allOf('a typed array ignores what is written beyond its end', 'src/model', [
    'bootstrap.ts drifts < to <= #1',
    'bootstrap.ts drifts < to <= #3',
    'bootstrap.ts bridgedHours < to <= #2',
    'bootstrap.ts bridgedHours < to <= #3',
    'degrees-of-freedom.ts mahalanobis < to <= #1',
  ]),
  'src/model/bootstrap.ts bridgedHours < to <= #4':
    'the first hour of the next day, which is written after it',
  'src/model/bootstrap.ts bootstrapAnnualCovariance 24 to 25 #1': 'rows of days: any number of hours but 1',
  ...allOf(
    'another grid, or other steps, of a search for the same optimum',
    'src/model/degrees-of-freedom.ts',
    [
      'module 64 to 65 #1',
      'maximise - to + #2',
      'maximise 1 to 2 #1',
      'maximise 0 to 1 #1',
      'maximise 1 to 2 #2',
      'maximise < to <= #1',
      'maximise > to >= #1',
      'maximise > to >= #2',
      'maximise >= to > #1',
      'maximise.at <= to < #1',
      'maximise.at >= to > #1',
      'maximise.at 0 to 1 #1',
      'maximise.at 1 to 2 #1',
    ],
  ),
  ...allOf('the projection is squared', 'src/model/degrees-of-freedom.ts', ['mahalanobis += to -= #2']),
  ...allOf('the solver finds by itself that the matrix is symmetric', 'src/model', [
    'degrees-of-freedom.ts mahalanobis true to false #1',
    'correlation-factor.ts correlationFactor true to false #1',
  ]),
  'src/model/correlation-factor.ts unitRows < to <= #2': 'a column of zeros has either sign',
  'src/model/correlation-factor.ts requireCorrelation < to <= #2':
    'an entry of the diagonal is equal to itself',
  'src/core/plan/shared-draws.ts module 2 to 3 #2': 'a mark of the state of a part, other than 0 and 1',
  'src/core/plan/chunks.ts chunksOf > to >= #1': 'one packet either way',
  'src/core/plan/codec.ts checkPlan 1 to 2 #1': 'a product without loans has no list of them',
  'src/core/plan/fields.ts optional true to false #1': 'it is the presence of the member that is read',
  'src/core/plan/model/contract.ts spreadOf < to <= #1': 'no asset is at or after the one beyond the last',
  'src/core/plan/product/perpetual.ts module 1e-9 to 1.000000001 #1':
    'the difference of two counts that are both larger by one',
  'src/core/plan/position-terms.ts positionTerms > to >= #1': 'a booking of 0 is 0',
  ...allOf('of the scenarios that warm up engines', 'src/core/plan/model', [
    'bootstrap.ts usual 5 to 6 #1',
    'bootstrap.ts usual < to >= #1',
    'filtered-historical.ts usual < to >= #1',
    'gbm-shifted.ts usual 1 to 2 #1',
    'student-t.ts usual 100 to 101 #1',
    'student-t.ts usual 400 to 401 #1',
  ]),
};
