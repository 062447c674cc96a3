/** Common parts of all draws by Threefry 4x32; source and meaning of the words: src/core/random/threefry.ts. */

/** Parity constant of the key schedule. */
export const KEY_PARITY: i32 = 0x1bd11bda;

/** Words rotated to the left. */
export function rotated(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shl(x, bits), i32x4.shr_u(x, 32 - bits));
}
