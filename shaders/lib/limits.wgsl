// Numbers beyond every value and every step of a path.
// Provides: NO_STEP, VALUE_LIMIT.
// Expects: nothing.

// A step that is never reached.
const NO_STEP = 0xffffffffu;
// Above every value and every threshold; its negative is below all of them.
const VALUE_LIMIT = 3.0e38;
