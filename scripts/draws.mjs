/** Random numbers of the scripts that make example books: the same at every call. */
const SEED = 20_240_630;

export function draws() {
  let state = SEED;
  /** Park and Miller: uniform in (0, 1). */
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  /** One of `[share, value]` rows whose shares sum to 1. */
  const pick = table => {
    let left = uniform();
    for (const [share, value] of table) {
      left -= share;
      if (left < 0) return value;
    }
    return table[0][1];
  };
  return { uniform, pick };
}
