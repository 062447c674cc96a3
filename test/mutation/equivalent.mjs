import { allOf } from './all-of.mjs';
import { EQUIVALENT_IN_CORE } from './equivalent-core.mjs';

/**
 * Mutants that no test can notice, by key (file, function, operator, ordinal), and why. `npm run test:mutation` does not
 * count them, and reports the keys without a mutant.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const EQUIVALENT = {
  ...EQUIVALENT_IN_CORE,
  ...allOf('more room in the memory of the kernel, which nothing reads', 'kernel/memory.ts module', [
    '32 to 33 #1',
    '8192 to 8193 #1',
    '64 to 65 #1',
    '4 to 5 #1',
    '/ to * #1',
    '4 to 5 #2',
    '4 to 5 #3',
    '2 to 3 #2',
    '4 to 5 #4',
    '4 to 5 #5',
    '8 to 9 #1',
    '10 to 11 #1',
    '8 to 9 #2',
    '5 to 6 #1',
    '>> to << #1',
  ]),
  ...allOf('a sum at its bound, for which the ratio itself decides then', 'kernel/book-basket.ts', [
    ...[1, 2, 3, 4].map(k => `openDays ge to gt #${k}`),
    ...[1, 2, 3, 4, 5, 6].map(k => `openSteps ge to gt #${k}`),
    ...[1, 2].flatMap(k => [`firstOutside gt to ge #${k}`, `firstOutside lt to le #${k}`]),
  ]),
  ...allOf('both formulas are exact where one takes over from the other', 'src/core/stats', [
    'chi-square.ts complementaryErrorFunction < to <= #1',
    'special-functions.ts module 16 to 17 #1',
    'special-functions.ts stirlingError < to <= #1',
    'special-functions.ts deviance >= to > #1',
    'special-functions.ts regularisedBeta > to >= #3',
    'special-functions.ts regularisedBeta 1 to 2 #4',
    'special-functions.ts regularisedBeta 2 to 3 #1',
    'special-functions.ts regularisedGamma < to <= #1',
    'special-functions.ts regularisedGamma 1 to 2 #2',
  ]),
  ...allOf('one more or one less step of what has converged before', 'src/core/stats', [
    'special-functions.ts module 200_000 to 200001 #1',
    'special-functions.ts module 200 to 201 #1',
    'special-functions.ts betaFraction < to <= #1',
    'special-functions.ts betaFraction < to <= #2',
    'special-functions.ts regularisedGamma > to >= #2',
    'special-functions.ts regularisedGamma < to <= #2',
    'special-functions.ts regularisedGamma < to <= #3',
    'special-functions.ts risingRoot 0 to 1 #1',
    'special-functions.ts risingRoot < to <= #1',
    'special-functions.ts risingRoot 4 to 5 #1',
    'special-functions.ts risingRoot <= to < #1',
    'shortfall/quantile-line.ts module 60 to 61 #1',
    'shortfall/quantile-line.ts lineAmong 0 to 1 #6',
    'shortfall/quantile-line.ts lineAmong 0 to 1 #8',
    'shortfall/quantile-line.ts lineAmong < to <= #2',
    'shortfall/quantile-line.ts lineAmong < to <= #3',
    'shortfall/quantile-line.ts lineAmong < to <= #4',
    'shortfall/quantile-line.ts lineAmong > to >= #1',
    'shortfall/quantile-line.ts lineAmong > to >= #2',
  ]),
  ...allOf(
    'more points are looked at, and all others are checked',
    'src/core/stats/shortfall/quantile-line.ts',
    ['module 4 to 5 #1', 'module 50 to 51 #1'],
  ),
  ...allOf("a part of Stirling's series below 1e-12", 'src/core/stats/special-functions.ts', [
    'stirlingError 1260 to 1261 #1',
    'stirlingError 1680 to 1681 #1',
    'stirlingError 1188 to 1189 #1',
    'stirlingError - to + #6',
  ]),
  'src/core/reference/asset-paths.ts CorrelatedDraws.correlate <= to < #1':
    'one of both is even, the other odd',
  ...allOf('the values are then counted one by one', 'src/core/stats/value-cells.ts', [
    ...[1, 2, 3, 4].flatMap(k => [`ValueCells.count >= to > #${k}`, `ValueCells.count >= to < #${k}`]),
    ...[2, 3, 4, 5].flatMap(k => [
      `ValueCells.count < to <= #${k}`,
      `ValueCells.count < to >= #${k}`,
      `ValueCells.count 0 to 1 #${k}`,
    ]),
  ]),
  ...allOf('another grid of cells, in which the same values are found', 'src/core/stats/value-cells.ts', [
    'module 64 to 65 #1',
    'ValueCells.constructor 1 to 2 #1',
    'ValueCells.constructor < to <= #2',
    'ValueCells.constructor > to >= #1',
    'ValueCells.constructor > to >= #2',
  ]),
  'src/core/plan/model/contract.ts spreadOf += to -= #1': 'the sum is squared',
  ...allOf('more of the walk is computed than matters to 1e-6', 'src/core/stats/first-passage.ts', [
    'module 7 to 8 #1',
    'module 5.5 to 6.5 #1',
    'module 8 to 9 #1',
    'firstPassageProbability < to <= #2',
    'firstPassageProbability >= to > #1',
    'firstPassageProbability / to * #4',
    'firstPassageProbability 0 to 1 #5',
    'firstPassageProbability 0 to 1 #7',
    'firstPassageProbability 1 to 2 #4',
  ]),
  ...allOf('another way of the search to the same minimum', 'src/models/calibration/box-minimiser.ts', [
    'module 40 to 41 #1',
    'minimiseInBox 2 to 3 #1',
    'minimiseInBox <= to < #1',
    'searchLine > to >= #1',
    'searchLine 0 to 1 #5',
    'searchLine < to <= #2',
    'updateCurvature > to >= #1',
    'clamp <= to < #1',
    'clamp >= to > #1',
  ]),
  ...allOf('another pivot, which moves the same values', 'src/core/stats/selection.ts', [
    'select statement removed #1',
    'select > to >= #1',
    'narrow statement removed #1',
    'narrow 1 to 2 #1',
    'narrow 1 to 2 #2',
    'narrow 3 to 4 #1',
    'narrow 2 to 3 #2',
  ]),
  ...allOf('the values of the cell are then read one by one', 'src/core/distribution/values.ts', [
    'BinsOfCells.constructor 0 to 1 #6',
    'BinsOfCells.constructor === to !== #3',
  ]),
  'src/core/figures/book-columns.ts isThinTail < to <= #2': 'a computed number of paths that is exactly 100',
  ...allOf(
    'a tolerance of rounding, within which the ratio itself decides',
    'src/core/book/signed-basket.ts',
    ['SignedBasket.firstNotBelow + to - #15', 'SignedBasket.firstNotBelow + to - #16'],
  ),
  ...allOf('steps without a call are then followed one by one', 'src/core/product/loan-under-way.ts', [
    ...[2, 3].flatMap(k => [`LoanUnderWay.follow <= to > #${k}`, `LoanUnderWay.follow <= to < #${k}`]),
  ]),
  ...allOf('a field that the choice of baskets sets before it is read', 'src/core/book', [
    ...[1, 2, 3, 4].map(k => `signed-series.ts SignedSeries 0 to 1 #${k}`),
    ...[1, 2, 3].map(k => `lazy-ratio.ts LazyRatio 0 to 1 #${k}`),
    ...[1, 2, 3, 4, 5].map(k => `signed-basket.ts SignedBasket 0 to 1 #${k}`),
    'signed-basket.ts SignedBasket 1 to 2 #1',
    'lazy-series.ts LazySeries 0 to 1 #1',
    'lazy-series.ts LazySeries 1 to 2 #1',
    'lazy-series.ts LazySeries 1 to 2 #2',
    'class-states.ts ClassStates 0 to 1 #1',
  ]),
  ...allOf('a field that the first path sets before it is read', 'src/core', [
    ...[1, 2, 3].map(k => `book/peak-day.ts PeakDay 0 to 1 #${k}`),
    ...[1, 2, 3].map(k => `book/single-loans.ts SingleLoans 0 to 1 #${k}`),
    ...[1, 2, 3, 4, 5, 6, 7, 8].map(k => `book/book-path.ts BookPath 0 to 1 #${k}`),
    'book/book-path.ts BookPath 1 to 2 #1',
    'book/price-extremes.ts PriceExtremes 0 to 1 #1',
    ...[1, 2, 3, 4].map(k => `book/path-bookings.ts PathBookings 0 to 1 #${k}`),
    'random/extra-words.ts ExtraWords 0 to 1 #1',
    'random/extra-words.ts ExtraWords - removed #1',
    'random/extra-words.ts ExtraWords 1 to 2 #1',
    'reference/portfolio-paths.ts ArrayPaths 0 to 1 #1',
    'reference/asset-paths.ts SteppedPaths 0 to 1 #1',
    'reference/asset-paths.ts SteppedPaths 0 to 1 #2',
    'reference/shifted-paths.ts ShiftedPaths 0 to 1 #1',
    'reference/bootstrap-paths.ts BlockRows 0 to 1 #1',
    'reference/bootstrap-paths.ts BlockRows - removed #1',
    'reference/bootstrap-paths.ts BlockRows 1 to 2 #1',
    'reference/filtered-historical-paths.ts ResidualDays 0 to 1 #1',
    'stress/replay-book.ts ReplayedLoan 0 to 1 #1',
    'product/accrued-paths.ts AccruedPaths 0 to 1 #1',
    'product/accrued-paths.ts AccruedPaths false to true #1',
    'product/capped-loan.ts CappedLoanFollower 0 to 1 #1',
  ]),
  'src/core/distribution/values.ts BinsOfCells 0 to 1 #1': 'the first value sets it: none is equal to NaN',
  'src/core/book/single-loans.ts singleGroup 0 to 1 #1':
    'the threshold of a loan that begins under water, which is followed on every path',
  'src/core/stats/weighted-quantile.ts weightedQuantile > to >= #2':
    'one value is left, which the next round would return',
  'src/core/stats/special-functions.ts betaFraction.away < to <= #1': 'a term of exactly 1e-300',
  'src/core/stats/special-functions.ts regularisedGamma 1 to 2 #7':
    'a start of 2e300 in place of 1e300, both infinite beside the terms',
  'kernel/book-loans.ts followBook ge to gt #1':
    'a loan at the bound of its test of whole paths, which is followed then without an event',
  'src/core/simd/kernel.ts Kernel.reserve <= to < #1':
    'the memory grows by no page, and its views are made again',
  'src/engine/threads/work-on-book.ts withSet 1 to 2 #1': 'the mark of a set that is taken: any number but 0',
  'src/engine/threads/book-task.ts contributionsLength 2 to 3 #1': 'more room, of which nothing is read',
  'src/core/book/difference-sums.ts DifferenceSums.constructor > to >= #1':
    'more room in a book without shared groups, to which nothing is added there',
  'src/core/book/lazy-series.ts LazySeries.turnTo statement removed #1':
    'the quotient of the same sums is made again, to the bit, where it is kept',
  'src/core/book/whole-paths.ts WholePaths.take < to <= #2':
    'a coefficient of 0 has the same product in either row',
  'src/core/book/signed-basket.ts SignedBasket.mayFallBelow >= to > #1':
    'a sum at its bound, which the ratios themselves then decide',
  'src/core/book/prepared-book.ts prepareBook 1 to 2 #4':
    'a group is looked at below a higher ratio; its loans have their own',
  'src/core/stats/preconditions.ts areFinite + to - #7': 'each sum is 0, or is not a number',
  'src/core/stats/preconditions.ts areFinite + to - #8': 'each sum is 0, or is not a number',
  'src/core/stats/preconditions.ts areFinite + to - #9': 'each sum is 0, or is not a number',
  'src/core/stats/preconditions.ts areFinite += to -= #1': 'each sum is 0, or is not a number',
  'src/core/stats/preconditions.ts areFinite += to -= #2': 'each sum is 0, or is not a number',
  'src/core/stats/preconditions.ts areFinite += to -= #3': 'each sum is 0, or is not a number',
  'src/core/stats/preconditions.ts areFinite += to -= #4': 'each sum is 0, or is not a number',
  'src/core/stats/preconditions.ts areFinite += to -= #5': 'each sum is 0, or is not a number',
  'src/core/book/book-sums.ts addSums && to || #1': 'either both sums have squares or none',
  'src/core/stats/selection.ts placeBetween - to + #2':
    'the range has one more value, which is no smaller than those before it and stays in its place',
  'src/core/stats/shortfall/regression.ts distance - to + #1':
    'all steps are taken, to the line at which fewer had ended within 1e-10',
  'src/core/plan/book-lending.ts isFollowedSingly < to <= #1':
    'a loan with M of 1, which is not under water at its start, has the same events both ways',
  'src/core/stats/shortfall/z2.ts z2Test.uniform 0.5 to 1.5 #1': 'a uniform number that is larger by 2^-32',
  'src/core/stats/value-cells.ts roomFor > to <= #1':
    'memory that is kept or not; a sample fills its own part',
  'src/core/lending/lending-terms.ts forget 0 to 1 #7':
    'the debt at a loss, which is read only where a loss has set it',
  ...allOf('no number yet: numbers are 0 or above, so that -2 is as good as -1', 'src/core/random', [
    'extra-words.ts ExtraWords.start 1 to 2 #1',
    'sobol.ts ScrambledSobol 1 to 2 #1',
    'sobol.ts ScrambledSobol 1 to 2 #2',
  ]),
  'src/question/book/request.ts loansOf ! removed #1':
    'the loans of a list that is too long are read for nothing: the fault is the same',
  'src/question/origination/accuracy.ts nominalRatioAccuracy < to <= #4':
    'the score beyond the last candidate is not a number, and the end of the interval is null either way',
  'src/question/book/lending-columns.ts module 1 to 2 #1':
    'the mark of a loan without a cost of sale of its own: any number that is no cost, below 0',
  'src/question/reading/reader-handle.ts module 5 to 6 #1':
    'the priority of a process, which no answer shows',
  'src/market/check/check-store.ts jumpsOf < to <= #1': 'no row after the last one is a step after it',
  'src/market/import/inspect-rows.ts findJumps < to <= #1': 'no close after the last one is far from it',
  'src/market/import/series-keys.ts commonSpacingHours < to <= #1':
    'no time after the last one has a distance',
  'src/text/sorted-by.ts sortedBy < to <= #1': 'no two texts are equal',
  'src/market/store/manifest.ts readManifest < to <= #1':
    'a text that begins with its series, which is no JSON either way',
  'src/market/store/writer-lock.ts takeWriterLock statement removed #3':
    'memory of the process: another instance on the file gives up its lock',
  'src/models/calibration/generalised-pareto.ts bend 0 to 1 #1':
    'the term beyond the series: below 0.02^9, beyond the precision of doubles',
  'src/core/gpu/kernels.ts simulationKernel.stateWords 0 to 1 #1':
    'one more word of room in the state of a path, which nothing reads',
  'src/core/simd/packet-paths.ts PacketPaths.constructor 0 to 1 #1':
    'room for one amount where none is copied',
  'src/question/request/fields.ts listOf statement removed #1':
    'the schema refuses the length in the same words before it reads elements',
  'src/server/answers/batch-lines.ts module 256 to 257 #1': 'a byte is below 256',
  'src/server/answers/batch-lines.ts module 1 to 2 #1': 'any number other than 0 marks a blank',
  'src/server/answers/batch-lines.ts module 6 to 7 #1':
    'a name that long is not `body`, which its text then shows',
  'src/server/answers/batch-lines.ts namesBody >= to > #1':
    'a name that long is not `body`, which its text then shows',
  'src/server/answers/batch-lines.ts partsOf < to <= #1':
    'beyond the last byte is undefined, which is no mark',
  'src/server/answers/batch-lines.ts partsOf >= to > #1': 'a piece is one byte longer',
  'src/server/answers/batch-lines.ts partsOf > to >= #1':
    'the byte itself lies outside bodies, and is one too many',
  'src/server/answers/batch-lines.ts endOfString < to <= #1': 'the string ends beyond the line either way',
  'src/server/jobs/memory-jobs.ts createMemoryJobs.remove statement removed #1':
    'the ids of finished jobs are those of jobs',
  'src/server/jobs/memory-jobs.ts createMemoryJobs.submit statement removed #11':
    'the next call removes them before it answers',
  'src/server/jobs/state-writer.ts StateWriter false to true #1': 'it runs only after a change has set it',
  'src/server/admission/costs.ts factorOf >= to > #1':
    'at a measured number the next interval begins with its factor',
  'src/question/scenario/library.ts readWindows statement removed #1': 'the file that ships has every window',
  'src/question/scenario/library.ts readWindows 0 to 1 #3':
    'an asset has prices at every point of a window, or at none',
  'src/question/scenario/replay.ts trackOf 1 to 2 #1': 'prices are divided by the first one',
  'src/server/admission/engine-queue.ts createEngineQueue 0 to 1 #1': 'only differences of it are used',
  'src/server/answers/batch-lines.ts module 0x20 to 33 #1':
    '`z` and `|`, which then count as brackets, are in strings alone',
  'src/server/admission/limits.ts createLimits.enterInTurn 0 to 1 #1':
    'the wait is at most a millisecond shorter',
  'src/server/jobs/shared-jobs.ts SharedJobs.every statement removed #5':
    'a round that has ended is not waited for',
  'src/server/jobs/shared-jobs.ts SharedJobs.firstOf 1 to 2 #1': 'the entry is removed in the same change',
  'src/server/jobs/shared-jobs.ts SharedJobs.forget 1 to 2 #1': 'the entry is removed in the same change',
  'src/fleet/fleet.ts StoreFleet.runParts statement removed #6': 'an end that is told later wakes nobody',
  'src/fleet/fleet.ts StoreFleet.collect.doHere statement removed #1':
    'only parts that are missing are done here',
  'src/question/asking.ts checkQuestion statement removed #2':
    'a question without a value has faults, which the statement before it throws',
  ...allOf(
    'a line without a value or a body has faults, which the statement before throws',
    'src/server/answers/batch.ts',
    ['Batch.read || to && #1', 'Batch.read statement removed #8'],
  ),
  ...allOf('an expected or a measured time that differs by a millionth', 'src/core/gpu/dispatcher.ts', [
    'dispatchSlices 1e6 to 1000001 #1',
    'dispatchSlices 1e6 to 1000001 #2',
  ]),
  'src/core/gpu/submissions.ts SubmissionTimeline.finished 1e6 to 1000001 #1':
    'a measured time that differs by a millionth',
  ...allOf('how many paths are read at a time', 'src/core/gpu/product/book.ts module', [
    '2 to 3 #1',
    '18 to 19 #1',
    '2 to 3 #2',
    '16 to 17 #1',
  ]),
  'src/fleet/queued-parts.ts QueuedParts false to true #1': 'the first call sets it',
  'src/server/answers/batch-lines.ts linesOf < to <= #1': 'a piece of no bytes at the end',
  'src/server/answers/batch-lines.ts linesOf 0 to 1 #3': 'pieces begin at 0 and at multiples of their length',
  'src/server/answers/batch-lines.ts linesOf > to >= #1': 'one more turn of the event loop at the beginning',
  'src/question/request/weight-map.ts mapOf > to >= #3': 'no sum of doubles lies exactly at the bound',
  'src/question/request/weight-map.ts mapOf 0 to 1 #3': 'what is returned beside a fault is not read',
  'src/question/request/json-form.ts beyondForm < to <= #1':
    'beyond the last byte is undefined, which is no mark',
  'src/question/request/json-form.ts beyondForm < to <= #2':
    'beyond the last byte is undefined, which is no mark',
  'src/question/request/json-form.ts beyondForm statement removed #4': 'the next case does nothing',
  'src/question/request/ltv.ts isLtv < to <= #1':
    'an LTV of 1.5 has its own fault; no rule reads the ratio in its place',
  'src/question/request/ltv.ts withRatios 1 to 2 #2':
    'the ratio in the place of a faulty LTV, which has its own fault; no rule reads it',
  'src/question/request/price-shock.ts priceShock 0 to 1 #1': 'what is returned beside a fault is not read',
  'src/question/request/price-shock.ts basketChange.sum + to - #1':
    'both sums change their sign, and their quotient does not',
  'src/question/request/repeated-members.ts repeatedMembers < to <= #1':
    'the code beyond the last one is NaN',
  'src/tape/read-tape.ts readTape statement removed #8':
    'a row without an id has a fault, for which its loan is left out as well',
  'kernel/day-years.ts formYears - removed #1': 'any number but that of the first day, which is 0',
  'shaders/kernel/counts.wgsl fan_time_after * to / #1': 'the loop counts up from a lower first guess',
  'shaders/portfolio/assets.wgsl module 7 to 8 #1': 'a place of the array that is never read',
  'shaders/portfolio/assets.wgsl module 16 to 17 #1': 'a place of the array that is never read',
  'shaders/product/capped_loan.wgsl product_group 4u to 5u #1':
    'without the short cut the steps find the same, one by one',
};
