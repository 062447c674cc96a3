// Rows of the prices of a block of paths: one for each step, then two (lowest, highest) for each day, then two for each block of six days,
// then one of weights.
// Inputs: steps of a path.
// Outputs: row numbers.
// Units: steps of an hour.
// Provides: BOOK_DAY_STEPS, BOOK_DAYS_PER_BLOCK, days_of, blocks_of, day_row, block_row, weights_row.
// Expects: nothing.

// Steps of a day, and days of a block.
const BOOK_DAY_STEPS = 24u;
const BOOK_DAYS_PER_BLOCK = 6u;

// Days of so many steps, the last one perhaps incomplete.
fn days_of(steps: u32) -> u32 {
  return (steps + BOOK_DAY_STEPS - 1u) / BOOK_DAY_STEPS;
}

// Blocks of so many days, the last one perhaps incomplete.
fn blocks_of(days: u32) -> u32 {
  return (days + BOOK_DAYS_PER_BLOCK - 1u) / BOOK_DAYS_PER_BLOCK;
}

// The row of the lowest prices of a day; that of the highest follows. @param steps of a path
fn day_row(steps: u32, day: u32) -> u32 {
  return steps + 2u * day;
}

// The same of block `number`. @param days of a path
fn block_row(steps: u32, days: u32, number: u32) -> u32 {
  return steps + 2u * (days + number);
}

fn weights_row(steps: u32) -> u32 {
  let days = days_of(steps);
  return block_row(steps, days, blocks_of(days));
}
