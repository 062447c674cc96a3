/**
 * The lanes of a vector: the only file with their number.
 *
 * Four consecutive paths fill a vector of WebAssembly. The build compiles the same source also for 8 and 16 lanes: there a v128 stands for a
 * vector of that many lanes, by C code of kernel/native/simde/wasm/simd128.h. No operation crosses lanes: a path is the same in any lane of any width.
 * Operations of four lanes only are written here, by width; beyond four lanes they are functions of that file, too.
 */

/** Logarithm of the number of lanes: 2, 3 or 4. kernel/build-native.mjs replaces it in wider builds. */
export const LANE_SHIFT: usize = 2;
export const LANES: i32 = 1 << (<i32>LANE_SHIFT);
/** Bytes of a vector, and their logarithm. */
export const VECTOR_SHIFT: usize = LANE_SHIFT + 2;
export const VECTOR: usize = 1 << VECTOR_SHIFT;
/** Bytes of four vectors, the steps of a draw group, and their logarithm. */
export const GROUP_SHIFT: usize = VECTOR_SHIFT + 2;
export const GROUP_BYTES: usize = 1 << GROUP_SHIFT;

/** The numbers 0, 1, 2, ... of the lanes. */
export function laneNumbers(): v128 {
  return LANES > 4 ? numbers() : i32x4(0, 1, 2, 3);
}

/** The single in one lane. */
export function singleOf(vector: v128, lane: usize): f32 {
  if (LANES > 4) return reinterpret<f32>(laneOf(vector, <i32>lane));
  if (lane === 0) return f32x4.extract_lane(vector, 0);
  if (lane === 1) return f32x4.extract_lane(vector, 1);
  return lane === 2 ? f32x4.extract_lane(vector, 2) : f32x4.extract_lane(vector, 3);
}

/** Of each lane the single at `at` + its offset in bytes; the offsets are at `offsets`. */
export function gather(at: usize, offsets: usize): v128 {
  if (LANES > 4) return gathered(at, v128.load(offsets));
  let entries = f32x4.splat(f32.load(at + <usize>i32.load(offsets)));
  entries = v128.load_lane<f32>(at + <usize>i32.load(offsets, 4), entries, 1);
  entries = v128.load_lane<f32>(at + <usize>i32.load(offsets, 8), entries, 2);
  return v128.load_lane<f32>(at + <usize>i32.load(offsets, 12), entries, 3);
}

/*
 * Functions of kernel/native/simde/wasm/simd128.h for the wide builds; the build of four lanes has none of them.
 */

declare function numbers(): v128;
/** Of each lane the single at `at` + its offset in bytes. */
export declare function gathered(at: usize, offsets: v128): v128;
/** The 32 bits of one lane. */
export declare function laneOf(vector: v128, lane: i32): i32;
/** Writes lane k to `at` + k x `stride`. */
export declare function scatter(at: usize, stride: usize, vector: v128): void;
/** Writes the four singles that lane k has in four vectors to `at` + k x `stride`, one after another. */
export declare function scatterTurned(at: usize, stride: usize, s0: v128, s1: v128, s2: v128, s3: v128): void;
