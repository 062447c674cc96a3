/*
 * The vector operations of the kernel for LANES lanes of 32 bits: what wasm2c calls where the kernel has an operation of WebAssembly.
 *
 * Takes: LANES. Gives: for each operation that the kernel uses a function of the name that wasm2c calls it by; the compiler refuses one that
 * is missing here. Each is the operation of WebAssembly, lane by lane, so that every width has the same bits. The compiler's vector
 * types carry out what they can; PART lanes at a time do the rest, where the processor has an instruction for it.
 */
#pragma once
#include <stdint.h>
#include <string.h>
#include "wasm-rt.h"

#if defined(__AVX512F__) && LANES >= 16
#define PART 16
#elif defined(__AVX2__) && LANES >= 8
#define PART 8
#else
#define PART 4
#endif

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#else
#error "x86-64 and arm64 only"
#endif

typedef int32_t integers __attribute__((vector_size(4 * LANES)));
typedef uint32_t words __attribute__((vector_size(4 * LANES)));
typedef float singles __attribute__((vector_size(4 * LANES)));
typedef integers simde_v128_t;
typedef simde_v128_t V;

#define INLINE static inline __attribute__((always_inline))
#define OPERATION(name) simde_wasm_##name

INLINE V OPERATION(i32x4_splat)(int32_t x) { return x - (V){}; }
INLINE V OPERATION(f32x4_splat)(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits - (V){};
}
/* The wide builds have constants of equal lanes only (kernel/lanes.ts); four lanes take any. Local variables begin with zeros. */
#define simde_wasm_i64x2_make(low, high) ((V){})
#define v128_const(...)                                                       \
  ({                                                                          \
    static const uint8_t bytes_[16] = {__VA_ARGS__};                          \
    V vector_;                                                                \
    for (int part_ = 0; part_ < LANES / 4; part_++)                           \
      memcpy((uint8_t*)&vector_ + 16 * part_, bytes_, 16);                    \
    vector_;                                                                  \
  })

INLINE V OPERATION(i32x4_add)(V a, V b) { return (V)((words)a + (words)b); }
INLINE V OPERATION(i32x4_sub)(V a, V b) { return (V)((words)a - (words)b); }
INLINE V OPERATION(i32x4_shl)(V a, uint32_t bits) { return (V)((words)a << (bits & 31)); }
INLINE V OPERATION(i32x4_shr)(V a, uint32_t bits) { return a >> (int32_t)(bits & 31); }
INLINE V OPERATION(u32x4_shr)(V a, uint32_t bits) { return (V)((words)a >> (bits & 31)); }
INLINE V OPERATION(i32x4_eq)(V a, V b) { return (V)(a == b); }
INLINE V OPERATION(i32x4_gt)(V a, V b) { return (V)(a > b); }
INLINE V OPERATION(i32x4_ge)(V a, V b) { return (V)(a >= b); }
INLINE V OPERATION(u32x4_lt)(V a, V b) { return (V)((words)a < (words)b); }

INLINE V OPERATION(v128_xor)(V a, V b) { return a ^ b; }
INLINE V OPERATION(v128_or)(V a, V b) { return a | b; }
INLINE V OPERATION(v128_and)(V a, V b) { return a & b; }
INLINE V OPERATION(v128_andnot)(V a, V b) { return a & ~b; }
INLINE V OPERATION(v128_bitselect)(V a, V b, V mask) { return (a & mask) | (b & ~mask); }

INLINE V OPERATION(f32x4_add)(V a, V b) { return (V)((singles)a + (singles)b); }
INLINE V OPERATION(f32x4_sub)(V a, V b) { return (V)((singles)a - (singles)b); }
INLINE V OPERATION(f32x4_mul)(V a, V b) { return (V)((singles)a * (singles)b); }
INLINE V OPERATION(f32x4_div)(V a, V b) { return (V)((singles)a / (singles)b); }
INLINE V OPERATION(f32x4_abs)(V a) { return a & 0x7fffffff; }
INLINE V OPERATION(f32x4_lt)(V a, V b) { return (V)((singles)a < (singles)b); }
INLINE V OPERATION(f32x4_gt)(V a, V b) { return (V)((singles)a > (singles)b); }
INLINE V OPERATION(f32x4_le)(V a, V b) { return (V)((singles)a <= (singles)b); }
INLINE V OPERATION(f32x4_ge)(V a, V b) { return (V)((singles)a >= (singles)b); }
INLINE V OPERATION(f32x4_convert_i32x4)(V a) { return (V)__builtin_convertvector(a, singles); }

/* Operations of a part. */
typedef int32_t part_t __attribute__((vector_size(4 * PART)));
#if PART == 16
/* Of minps and maxps the second operand is the result where neither is less: as a of pmin and pmax. */
INLINE part_t part_pmin(part_t a, part_t b) { return (part_t)_mm512_min_ps((__m512)b, (__m512)a); }
INLINE part_t part_pmax(part_t a, part_t b) { return (part_t)_mm512_max_ps((__m512)b, (__m512)a); }
INLINE part_t part_max(part_t a, part_t b) { return (part_t)_mm512_max_epi32((__m512i)a, (__m512i)b); }
INLINE part_t part_sqrt(part_t a) { return (part_t)_mm512_sqrt_ps((__m512)a); }
INLINE part_t part_floor(part_t a) { return (part_t)_mm512_floor_ps((__m512)a); }
INLINE part_t part_truncate(part_t a) { return (part_t)_mm512_cvttps_epi32((__m512)a); }
INLINE uint32_t part_signs(part_t a) { return _mm512_movepi32_mask((__m512i)a); }
INLINE int part_any(part_t a) { return _mm512_test_epi32_mask((__m512i)a, (__m512i)a) != 0; }
INLINE part_t part_gather(const uint8_t* at, part_t offsets) {
  return (part_t)_mm512_i32gather_epi32((__m512i)offsets, at, 1);
}
#elif PART == 8
INLINE part_t part_pmin(part_t a, part_t b) { return (part_t)_mm256_min_ps((__m256)b, (__m256)a); }
INLINE part_t part_pmax(part_t a, part_t b) { return (part_t)_mm256_max_ps((__m256)b, (__m256)a); }
INLINE part_t part_max(part_t a, part_t b) { return (part_t)_mm256_max_epi32((__m256i)a, (__m256i)b); }
INLINE part_t part_sqrt(part_t a) { return (part_t)_mm256_sqrt_ps((__m256)a); }
INLINE part_t part_floor(part_t a) { return (part_t)_mm256_floor_ps((__m256)a); }
INLINE part_t part_truncate(part_t a) { return (part_t)_mm256_cvttps_epi32((__m256)a); }
INLINE uint32_t part_signs(part_t a) { return (uint32_t)_mm256_movemask_ps((__m256)a); }
INLINE int part_any(part_t a) { return !_mm256_testz_si256((__m256i)a, (__m256i)a); }
INLINE part_t part_gather(const uint8_t* at, part_t offsets) {
  part_t entries;
  for (int lane = 0; lane < PART; lane++) {
    int32_t entry;
    memcpy(&entry, at + (uint32_t)offsets[lane], sizeof entry);
    entries[lane] = entry;
  }
  return entries;
}
#elif defined(__x86_64__)
INLINE part_t part_pmin(part_t a, part_t b) { return (part_t)_mm_min_ps((__m128)b, (__m128)a); }
INLINE part_t part_pmax(part_t a, part_t b) { return (part_t)_mm_max_ps((__m128)b, (__m128)a); }
INLINE part_t part_max(part_t a, part_t b) { return (part_t)_mm_max_epi32((__m128i)a, (__m128i)b); }
INLINE part_t part_sqrt(part_t a) { return (part_t)_mm_sqrt_ps((__m128)a); }
INLINE part_t part_floor(part_t a) { return (part_t)_mm_floor_ps((__m128)a); }
INLINE part_t part_truncate(part_t a) { return (part_t)_mm_cvttps_epi32((__m128)a); }
INLINE uint32_t part_signs(part_t a) { return (uint32_t)_mm_movemask_ps((__m128)a); }
INLINE int part_any(part_t a) { return !_mm_testz_si128((__m128i)a, (__m128i)a); }
#else
INLINE part_t part_pmin(part_t a, part_t b) {
  return (part_t)vbslq_f32(vcltq_f32((float32x4_t)b, (float32x4_t)a), (float32x4_t)b, (float32x4_t)a);
}
INLINE part_t part_pmax(part_t a, part_t b) {
  return (part_t)vbslq_f32(vcltq_f32((float32x4_t)a, (float32x4_t)b), (float32x4_t)b, (float32x4_t)a);
}
INLINE part_t part_max(part_t a, part_t b) { return (part_t)vmaxq_s32((int32x4_t)a, (int32x4_t)b); }
INLINE part_t part_sqrt(part_t a) { return (part_t)vsqrtq_f32((float32x4_t)a); }
INLINE part_t part_floor(part_t a) { return (part_t)vrndmq_f32((float32x4_t)a); }
INLINE part_t part_truncate(part_t a) { return (part_t)vcvtq_s32_f32((float32x4_t)a); }
INLINE uint32_t part_signs(part_t a) {
  const uint32x4_t places = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32((uint32x4_t)(a < 0), places));
}
INLINE int part_any(part_t a) { return vmaxvq_u32((uint32x4_t)a) != 0; }
#endif

#define PARTS (LANES / PART)
/* A vector as its parts: they lie one after another. */
typedef union {
  V whole;
  part_t part[PARTS];
} in_parts;
#define BY_PARTS(name, of_part)                                                \
  INLINE V OPERATION(name)(V a) {                                              \
    in_parts x = {.whole = a};                                                 \
    for (int i = 0; i < PARTS; i++) x.part[i] = of_part(x.part[i]);            \
    return x.whole;                                                            \
  }
#define PAIRS_BY_PARTS(name, of_parts)                                          \
  INLINE V OPERATION(name)(V a, V b) {                                         \
    in_parts x = {.whole = a}, y = {.whole = b};                               \
    for (int i = 0; i < PARTS; i++) x.part[i] = of_parts(x.part[i], y.part[i]); \
    return x.whole;                                                            \
  }
BY_PARTS(f32x4_sqrt, part_sqrt)
BY_PARTS(f32x4_floor, part_floor)
PAIRS_BY_PARTS(f32x4_pmin, part_pmin)
PAIRS_BY_PARTS(f32x4_pmax, part_pmax)
PAIRS_BY_PARTS(i32x4_max, part_max)

/* What is no number becomes 0, and what is too large the largest: x86 makes both the least. */
INLINE V OPERATION(i32x4_trunc_sat_f32x4)(V a) {
  in_parts x = {.whole = a & ((singles)a == (singles)a)};
  for (int i = 0; i < PARTS; i++) x.part[i] = part_truncate(x.part[i]);
  const V large = (V)((singles)a >= 2147483648.0f);
  return (large & 0x7fffffff) | (~large & x.whole);
}
INLINE uint32_t OPERATION(i32x4_bitmask)(V a) {
  const in_parts x = {.whole = a};
  uint32_t bits = 0;
  for (int i = 0; i < PARTS; i++) bits |= part_signs(x.part[i]) << (PART * i);
  return bits;
}
INLINE int OPERATION(v128_any_true)(V a) {
  const in_parts x = {.whole = a};
  part_t any = x.part[0];
  for (int i = 1; i < PARTS; i++) any |= x.part[i];
  return part_any(any);
}
INLINE int OPERATION(i32x4_all_true)(V a) { return !OPERATION(v128_any_true)((V)(a == 0)); }

#define v128_i32x4_bitmask simde_wasm_i32x4_bitmask

#define ADDRESS const wasm_rt_memory_t *memory, uint64_t address
INLINE V v128_load_default32(ADDRESS) {
  V vector;
  memcpy(&vector, memory->data + address, sizeof vector);
  return vector;
}
INLINE void v128_store_default32(ADDRESS, V vector) {
  memcpy(memory->data + address, &vector, sizeof vector);
}
INLINE V v128_load32_splat(ADDRESS) {
  int32_t bits;
  memcpy(&bits, memory->data + address, sizeof bits);
  return OPERATION(i32x4_splat)(bits);
}

#if LANES == 4
#define v128_i32x4_extract_lane(vector, lane) ((uint32_t)(vector)[lane])
#define v128_f32x4_extract_lane(vector, lane) (((singles)(vector))[lane])
#define LOAD_LANE(lane)                                                  \
  INLINE V v128_load32_lane##lane(ADDRESS, V vector) {       \
    int32_t bits;                                                        \
    memcpy(&bits, memory->data + address, sizeof bits);                  \
    vector[lane] = bits;                                                 \
    return vector;                                                       \
  }
#define STORE_LANE(lane)                                                 \
  INLINE void v128_store32_lane##lane(ADDRESS, V vector) {   \
    const int32_t bits = vector[lane];                                   \
    memcpy(memory->data + address, &bits, sizeof bits);                  \
  }
LOAD_LANE(1)
LOAD_LANE(2)
LOAD_LANE(3)
STORE_LANE(0)
STORE_LANE(1)
STORE_LANE(2)
STORE_LANE(3)
/* Whole lanes only: the bytes of a lane lie together. */
#define v128_i8x16_shuffle(a, b, p, p1, p2, p3, q, q1, q2, q3, r, r1, r2, r3, s, s1, s2, s3) \
  __builtin_shufflevector(a, b, (p) / 4, (q) / 4, (r) / 4, (s) / 4)
#else
/* The functions that the wide builds import: kernel/lanes.ts. */
INLINE V lanes_numbers(const wasm_rt_memory_t* memory) {
  (void)memory;
  V numbers;
  for (int lane = 0; lane < LANES; lane++) numbers[lane] = lane;
  return numbers;
}
INLINE uint32_t lanes_laneOf(const wasm_rt_memory_t* memory, V vector, uint32_t lane) {
  (void)memory;
  return (uint32_t)vector[lane & (LANES - 1)];
}
INLINE V lanes_gathered(const wasm_rt_memory_t* memory, uint32_t at, V offsets) {
  in_parts x = {.whole = offsets};
  for (int i = 0; i < PARTS; i++) x.part[i] = part_gather(memory->data + at, x.part[i]);
  return x.whole;
}
INLINE void lanes_scatter(const wasm_rt_memory_t* memory, uint32_t at, uint32_t stride, V vector) {
  for (int lane = 0; lane < LANES; lane++) {
    const int32_t x = vector[lane];
    memcpy(memory->data + (uint32_t)(at + lane * stride), &x, sizeof x);
  }
}
INLINE void lanes_scatterTurned(const wasm_rt_memory_t* memory, uint32_t at, uint32_t stride, V s0, V s1, V s2, V s3) {
  typedef int32_t four __attribute__((vector_size(16)));
  typedef union {
    V whole;
    four fours[LANES / 4];
  } in_fours;
  const in_fours x0 = {.whole = s0}, x1 = {.whole = s1}, x2 = {.whole = s2}, x3 = {.whole = s3};
  for (int i = 0; i < LANES / 4; i++) {
    const four low01 = __builtin_shufflevector(x0.fours[i], x1.fours[i], 0, 4, 1, 5);
    const four low23 = __builtin_shufflevector(x2.fours[i], x3.fours[i], 0, 4, 1, 5);
    const four high01 = __builtin_shufflevector(x0.fours[i], x1.fours[i], 2, 6, 3, 7);
    const four high23 = __builtin_shufflevector(x2.fours[i], x3.fours[i], 2, 6, 3, 7);
    const four rows[4] = {
        __builtin_shufflevector(low01, low23, 0, 1, 4, 5),
        __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
        __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
        __builtin_shufflevector(high01, high23, 2, 3, 6, 7),
    };
    for (int k = 0; k < 4; k++)
      memcpy(memory->data + (uint32_t)(at + (4 * i + k) * stride), &rows[k], sizeof rows[k]);
  }
}
#endif
