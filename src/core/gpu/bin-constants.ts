/** Numbers of the bins as shaders/lib/bins.wgsl declares them. */
import { AMOUNT_BINS, BINS_PER_UNIT, RATIO_BINS, slotsOf } from '../distribution/bins.ts';

export const BIN_CONSTANTS = {
  BINS_PER_UNIT,
  RATIO_LOWEST: RATIO_BINS.lowest,
  RATIO_HIGHEST: RATIO_BINS.highest,
  RATIO_SLOTS: slotsOf(RATIO_BINS),
  AMOUNT_LOWEST: AMOUNT_BINS.lowest,
  AMOUNT_HIGHEST: AMOUNT_BINS.highest,
  AMOUNT_SLOTS: slotsOf(AMOUNT_BINS),
};
