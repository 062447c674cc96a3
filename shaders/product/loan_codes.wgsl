// Codes of a loan that host and shaders share: the status at step 0 and the flags of a record. perpetual.wgsl declares its two flags
// itself: a position has no others.
// Provides: START_*, FLAG_*.
// Expects: nothing.

// Status at step 0. With START_NONE step 0 is not evaluated: the term begins with step 1.
const START_NONE = 0u;
const START_OPEN = 1u;
const START_CALLED = 2u;
const START_LIQUIDATED = 3u;

const FLAG_MARGIN_CALL = 1u;
const FLAG_LIQUIDATION = 2u;
const FLAG_CLOSEOUT = 4u;
const FLAG_UNDERWATER = 8u;
