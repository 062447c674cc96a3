// Standard normals of one path: words of sfc32 streams of 96 steps, and Box-Muller pairs of normals from them. Layout of the streams:
// docs/decisions/random-numbers.md. Coefficients: test/fixtures/draws/fit_draws.py. Error of a normal: at most 4.8e-6, root mean square
// 6e-7.
// Inputs: seed, path, step, pair of assets.
// Outputs: words of four steps; normals of both assets, or one projection of them, in four steps.
// Provides: DrawWords, STREAM_WORDS, LOG2_E, draw_words, DrawPair, draw_pair, DrawDirection, draw_projected.
// Reference: src/core/random/stream.ts and box-muller.ts (double precision).
// Expects:
//   lib/four_steps.wgsl: horner_step
//   lib/threefry.wgsl: threefry_4x32_12

// Words of the state of a stream, and its steps.
const STREAM_WORDS = 4u;
const DRAW_BLOCK_STEPS = 96u;
// Words above this one give a u too near 1 for log2 (radius below 0.022). In four steps 1 of 30 subgroups of 32 has such a word.
const DRAW_NEAR_ONE = 0xffefffffu;
const LOG2_E = 1.4426950408889634;

// Random words of four steps: one for the radius and one for the angle of each step.
struct DrawWords {
  radius: vec4<u32>,
  angle: vec4<u32>,
}

// The next state of sfc32 (Doty-Humphrey, PractRand).
fn draw_next(s: vec4<u32>) -> vec4<u32> {
  return vec4(
    s.y ^ (s.y >> 9u),
    s.z + (s.z << 3u),
    ((s.z << 21u) | (s.z >> 11u)) + (s.x + s.y + s.w),
    s.w + 1u,
  );
}

fn draw_word(s: vec4<u32>) -> u32 {
  return s.x + s.y + s.w;
}

// The words of steps `step` .. `step` + 3 of a pair. The caller goes through the multiples of four in order. `stream` is the state of sfc32
// (a, b, c and the counter) of a path for one pair; step 0 sets it.
fn draw_words(stream: ptr<function, vec4<u32>>, seed: u32, path: u32, step: u32, pair: u32) -> DrawWords {
  if (step % DRAW_BLOCK_STEPS == 0u) {
    *stream = threefry_4x32_12(vec4(path, step / DRAW_BLOCK_STEPS, pair, 0u), vec2(seed, 0u));
  }
  let r0 = *stream;
  let a0 = draw_next(r0);
  let r1 = draw_next(a0);
  let a1 = draw_next(r1);
  let r2 = draw_next(a1);
  let a2 = draw_next(r2);
  let r3 = draw_next(a2);
  let a3 = draw_next(r3);
  *stream = draw_next(a3);
  return DrawWords(
    vec4(draw_word(r0), draw_word(r1), draw_word(r2), draw_word(r3)),
    vec4(draw_word(a0), draw_word(a1), draw_word(a2), draw_word(a3)),
  );
}

// log2 of u = (word + 1/2) / 2^32. Near u = 1 the log2 of WGSL has an error of up to 2^-21, and u itself is rounded: there a series in
// 1 - u replaces it, and 1 - u is exact.
fn draw_log2(words: vec4<u32>) -> vec4<f32> {
  var result = log2(fma(vec4<f32>(words), vec4(0x1p-32), vec4(0x1p-33)));
  if (max(max(words.x, words.y), max(words.z, words.w)) > DRAW_NEAR_ONE) {
    let v = fma(vec4<f32>(~words), vec4(0x1p-32), vec4(0x1p-33));
    let series = v * fma(v, vec4(-0.5 * LOG2_E), vec4(-LOG2_E));
    result = select(result, series, words > vec4(DRAW_NEAR_ONE));
  }
  return result;
}

// An angle folded to x in -1..1, in quarter turns: cos(angle) = -sin(pi/2 x), |sin(angle)| = cos(pi/2 x).
fn draw_fold(words: vec4<u32>) -> vec4<f32> {
  return abs(vec4<f32>(bitcast<vec4<i32>>(words)) * 0x1p-30) - 1.0;
}

// Cosine of a folded angle and the square of it; absolute error 6e-7.
fn draw_cosine(x: vec4<f32>, square: vec4<f32>) -> vec4<f32> {
  var y = horner_step(vec4(0.00433309469), square, -0.0794343427);
  y = horner_step(y, square, 0.645892859);
  return horner_step(y, square, -1.57079101) * x;
}

// Magnitude of the sine of a folded angle by its square; absolute error 1e-7.
fn draw_sine(square: vec4<f32>) -> vec4<f32> {
  var y = horner_step(vec4(0.000859689957), square, -0.0208139662);
  y = horner_step(y, square, 0.253653198);
  y = horner_step(y, square, -1.23369884);
  return horner_step(y, square, 1.0);
}

// The normals of both assets of a pair in four steps.
struct DrawPair {
  first: vec4<f32>,
  second: vec4<f32>,
}

fn draw_pair(words: DrawWords) -> DrawPair {
  // -2 ln u = -2 ln 2 log2 u.
  let radius = sqrt(-1.3862943611198906 * draw_log2(words.radius));
  let x = draw_fold(words.angle);
  let square = x * x;
  let second = radius * draw_sine(square);
  let sign = words.angle & vec4(0x80000000u);
  return DrawPair(
    radius * draw_cosine(x, square),
    bitcast<vec4<f32>>(bitcast<vec4<u32>>(second) ^ sign),
  );
}

// A direction on which the normals of a pair are projected: a z0 + b z1 = k r cos(angle - phase).
struct DrawDirection {
  // -2 ln 2 k^2, with k of the projection.
  variance: f32,
  // 2^32 is a whole turn.
  phase: u32,
}

// The projection of the pair's normals in four steps and a drift, without the normals themselves: less than half the cost of draw_pair. One
// fma, so that every kernel rounds it alike.
fn draw_projected(words: DrawWords, direction: DrawDirection, drift: f32) -> vec4<f32> {
  let radius = sqrt(direction.variance * draw_log2(words.radius));
  let x = draw_fold(words.angle - vec4(direction.phase));
  return fma(radius, draw_cosine(x, x * x), vec4(drift));
}
