/*
 * The SIMD kernel's loan on a pair of single assets under GBM, in C: what another compiler makes of the same operations.
 *
 * The passes of wasm/stream.ts, normal.ts, pair.ts and loan.ts with the same arithmetic in the same order, so the results are
 * the same bytes; bench/clang-kernel.ts checks that before it tells a rate. Built in three forms:
 *   (none)      the passes go through arrays, constants stand in the code
 *   -DTABLE     constants are read from memory, as the kernel of the engine reads them
 *   -DFUSED     four steps at a time go from words to loans in registers, constants from memory
 */
#include <stdint.h>
#include <wasm_simd128.h>

typedef v128_t V;

#define BLOCK 48
#define STREAM 96
#define MOST_PACKETS 2048
#define EXPORT(name) __attribute__((export_name(#name)))

#if defined(FUSED) && !defined(TABLE)
#define TABLE
#endif

/* Variance times 2 ln 2, phase, drift and start of ln(C/L); margin call, liquidation, recovery. */
static V parameters[7];
/* Lowest, final, closeout, liquidation of every packet. */
static V results[4 * MOST_PACKETS];

EXPORT(parameters) V *parametersAt(void) { return parameters; }
EXPORT(results) V *resultsAt(void) { return results; }

enum {
  ONE, WORD_SCALE, HALF_WORD, TURN_SCALE, L0, L1, L2, L3, L4, L5, L6, C0, C1, C2, C3, C4, ROOT_HALF, SIGNIFICAND, COUNT
};

#define F(x) {.f = x}
#define I(x) {.i = x}
typedef union { float f; int32_t i; } Word;
static const Word VALUES[COUNT] = {
  F(1.0f), F(2.3283064365386963e-10f), F(1.1641532182693481e-10f), F(9.313225746154785e-10f),
  F(-1.44269633f), F(0.721367717f), F(-0.480648696f), F(0.359184772f), F(-0.295099765f), F(0.270977646f), F(-0.176167309f),
  F(-1.57079625f), F(0.645963371f), F(-0.079688482f), F(0.00467222789f), F(-0.000150820546f),
  I(0x3f3504f3), I(0x7fffff),
};

#ifdef TABLE
static V table[COUNT];
/* The compiler must not know what the table holds. */
#define CONSTANT(place) (constants[place])
#define CONSTANTS_ARE const V *constants = table; __asm__("" : "+r"(constants));
static void fillTable(void) {
  for (int k = 0; k < COUNT; k++) table[k] = wasm_i32x4_splat(VALUES[k].i);
}
#else
#define CONSTANT(place) wasm_i32x4_splat(VALUES[place].i)
#define CONSTANTS_ARE
static void fillTable(void) {}
#endif

#define add wasm_i32x4_add
#define fadd wasm_f32x4_add
#define fsub wasm_f32x4_sub
#define fmul wasm_f32x4_mul
#define xor wasm_v128_xor
static inline V turned(V x, int bits) { return wasm_v128_or(wasm_i32x4_shl(x, bits), wasm_u32x4_shr(x, 32 - bits)); }

/* State of the four streams. */
typedef struct { V a, b, c, count; } Streams;

static Streams seedStreams(int32_t seed, int32_t path, int32_t block) {
  const V key[5] = {
    wasm_i32x4_splat(seed), wasm_i32x4_splat(0), wasm_i32x4_splat(0), wasm_i32x4_splat(0),
    wasm_i32x4_splat(0x1bd11bda ^ seed),
  };
  V x0 = add(wasm_i32x4_splat(path + seed), wasm_i32x4_make(0, 1, 2, 3));
  V x1 = wasm_i32x4_splat(block), x2 = wasm_i32x4_splat(0), x3 = wasm_i32x4_splat(0);
  static const int R[8][2] = {{10, 26}, {11, 21}, {13, 27}, {23, 5}, {6, 20}, {17, 11}, {25, 10}, {18, 20}};
#pragma clang loop unroll(full)
  for (int round = 0; round < 12; round++) {
    x0 = add(x0, round % 2 ? x3 : x1);
    if (round % 2) {
      x3 = xor(turned(x3, R[round % 8][0]), x0);
      x2 = add(x2, x1);
      x1 = xor(turned(x1, R[round % 8][1]), x2);
    } else {
      x1 = xor(turned(x1, R[round % 8][0]), x0);
      x2 = add(x2, x3);
      x3 = xor(turned(x3, R[round % 8][1]), x2);
    }
    if (round % 4 == 3) {
      const int s = round / 4 + 1;
      x0 = add(x0, key[s % 5]);
      x1 = add(x1, key[(s + 1) % 5]);
      x2 = add(x2, key[(s + 2) % 5]);
      x3 = add(add(x3, key[(s + 3) % 5]), wasm_i32x4_splat(s));
    }
  }
  return (Streams){x0, x1, x2, x3};
}

static inline void drawStep(Streams *s, V *radius, V *angle) {
  const V one = wasm_i32x4_splat(1);
  const V w0 = add(add(s->a, s->b), s->count);
  const V a1 = xor(s->b, wasm_u32x4_shr(s->b, 9));
  const V b1 = add(s->c, wasm_i32x4_shl(s->c, 3));
  const V c1 = add(turned(s->c, 21), w0);
  s->count = add(s->count, one);
  const V w1 = add(add(a1, b1), s->count);
  s->a = xor(b1, wasm_u32x4_shr(b1, 9));
  s->b = add(c1, wasm_i32x4_shl(c1, 3));
  s->c = add(turned(c1, 21), w1);
  s->count = add(s->count, one);
  *radius = w0;
  *angle = w1;
}

#define HORNER(value, x, place) fadd(fmul(value, x), CONSTANT(place))

/* sqrt(-log2 u scale) of four vectors of words. */
static inline void radii(const V *word, V scale, V *out) {
  CONSTANTS_ARE
  V g[4], l[4], bits[4];
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k++) {
    const V f = fadd(fmul(wasm_f32x4_convert_i32x4(word[k]), CONSTANT(WORD_SCALE)), CONSTANT(HALF_WORD));
    const V whole = wasm_v128_and(wasm_i32x4_shr(word[k], 31), CONSTANT(ONE));
    const V u = fadd(whole, f);
    bits[k] = wasm_i32x4_sub(u, CONSTANT(ROOT_HALF));
    const V significand = add(wasm_v128_and(bits[k], CONSTANT(SIGNIFICAND)), CONSTANT(ROOT_HALF));
    g[k] = fadd(fsub(significand, CONSTANT(ONE)), fsub(f, fsub(u, whole)));
  }
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k++) l[k] = HORNER(CONSTANT(L6), g[k], L5);
#pragma clang loop unroll(full)
  for (int place = L4; place >= L0; place--)
#pragma clang loop unroll(full)
    for (int k = 0; k < 4; k++) l[k] = HORNER(l[k], g[k], place);
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k++) {
    l[k] = fsub(fmul(l[k], g[k]), wasm_f32x4_convert_i32x4(wasm_i32x4_shr(bits[k], 23)));
    out[k] = wasm_f32x4_sqrt(fmul(l[k], scale));
  }
}

/* Radius times cosine of the angle less the phase, of four vectors. */
static inline void cosines(const V *word, const V *radius, V phase, V *out) {
  CONSTANTS_ARE
  V x[4], s[4], c[4];
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k++) {
    const V turns = fmul(wasm_f32x4_convert_i32x4(wasm_i32x4_sub(word[k], phase)), CONSTANT(TURN_SCALE));
    x[k] = fsub(wasm_f32x4_abs(turns), CONSTANT(ONE));
    s[k] = fmul(x[k], x[k]);
    c[k] = HORNER(CONSTANT(C4), s[k], C3);
  }
#pragma clang loop unroll(full)
  for (int place = C2; place >= C0; place--)
#pragma clang loop unroll(full)
    for (int k = 0; k < 4; k++) c[k] = HORNER(c[k], s[k], place);
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k++) out[k] = fmul(radius[k], fmul(x[k], c[k]));
}

static inline V walk(V y, V drift, const V *shock, V *out) {
  const V step0 = fadd(drift, shock[0]);
  const V two = fadd(step0, fadd(drift, shock[1]));
  const V three = fadd(two, fadd(drift, shock[2]));
  const V four = fadd(three, fadd(drift, shock[3]));
  out[0] = fadd(y, step0);
  out[1] = fadd(y, two);
  out[2] = fadd(y, three);
  out[3] = fadd(y, four);
  return out[3];
}

typedef struct { V lowest, final, closeout, liquidation, deadline; } Loans;

static inline void followStep(Loans *l, V value, V now, V called) {
  const V kept = wasm_v128_and(l->deadline, wasm_f32x4_lt(value, parameters[6]));
  const V opened = wasm_v128_and(called, wasm_f32x4_lt(value, parameters[4]));
  l->deadline = wasm_i32x4_max(kept, opened);
  l->closeout = wasm_i32x4_max(l->closeout, wasm_v128_and(now, wasm_i32x4_eq(l->deadline, now)));
  l->liquidation = wasm_i32x4_max(l->liquidation, wasm_v128_and(now, wasm_f32x4_lt(value, parameters[5])));
}

static inline void followGroup(Loans *l, const V *v, V *open, int32_t left, int32_t topUp) {
  const V low = wasm_f32x4_pmin(wasm_f32x4_pmin(v[0], v[1]), wasm_f32x4_pmin(v[2], v[3]));
  l->lowest = wasm_f32x4_pmin(l->lowest, low);
  if (!wasm_v128_any_true(
          wasm_v128_and(wasm_v128_or(wasm_f32x4_lt(low, parameters[4]), l->deadline), *open)))
    return;
  for (int k = 0; k < 4; k++)
    followStep(l, v[k], wasm_i32x4_splat(left - k), wasm_i32x4_splat(left - k - topUp));
  *open = wasm_i32x4_eq(wasm_v128_or(l->closeout, l->liquidation), wasm_i32x4_splat(0));
}

/* Runs the loans of packets of four paths; steps must be a multiple of four. */
EXPORT(runLoans) void runLoans(int32_t seed, int32_t first, int32_t packets, int32_t steps, int32_t topUp) {
  const V drift = parameters[2];
  fillTable();
  for (int32_t packet = 0; packet < packets; packet++) {
    Loans loans = {wasm_f32x4_splat(3e38f)};
    V y = parameters[3];
    V open = wasm_i32x4_splat(-1);
    Streams streams;
#ifdef FUSED
    for (int32_t step = 0; step < steps; step += 4) {
      if (step % STREAM == 0) streams = seedStreams(seed, first + 4 * packet, step / STREAM);
      V word[4], angle[4], radius[4], shock[4], value[4];
#pragma clang loop unroll(full)
      for (int k = 0; k < 4; k++) drawStep(&streams, &word[k], &angle[k]);
      radii(word, parameters[0], radius);
      cosines(angle, radius, parameters[1], shock);
      y = walk(y, drift, shock, value);
      followGroup(&loans, value, &open, steps - step, topUp);
    }
#else
    static V words[BLOCK], angles[BLOCK], radius[BLOCK], shocks[BLOCK], values[BLOCK];
    for (int32_t step = 0; step < steps; step += BLOCK) {
      const int32_t count = steps - step < BLOCK ? steps - step : BLOCK;
      if (step % STREAM == 0) streams = seedStreams(seed, first + 4 * packet, step / STREAM);
      for (int32_t t = 0; t < count; t++) drawStep(&streams, &words[t], &angles[t]);
      for (int32_t t = 0; t < count; t += 4) radii(words + t, parameters[0], radius + t);
      for (int32_t t = 0; t < count; t += 4) cosines(angles + t, radius + t, parameters[1], shocks + t);
      for (int32_t t = 0; t < count; t += 4) y = walk(y, drift, shocks + t, values + t);
      for (int32_t t = 0; t < count; t += 4) followGroup(&loans, values + t, &open, steps - step - t, topUp);
    }
#endif
    results[4 * packet] = loans.lowest;
    results[4 * packet + 1] = y;
    results[4 * packet + 2] = loans.closeout;
    results[4 * packet + 3] = loans.liquidation;
  }
}
