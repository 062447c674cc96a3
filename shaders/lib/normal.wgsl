// Standard normals from 32-bit words by the inverse distribution function, z = Phi^-1((w + 1/2) / 2^32).
// Provides: normal_from_words. Expects: nothing. Twin: src/random/normal.ts (double precision).
// Coefficients and error: test/fixtures/normal/fit_normal.py. |z| <= 6.34; largest absolute error 6e-7 for |z| < 3
// and 1.1e-6 beyond (two units in the last place of z) where log2 and sqrt are rounded, 8e-7 and 3.0e-6 at the limits of what
// WGSL promises of them; the error of the variance is 1e-8.
//
// With p the two-sided probability of the word, x = 1 - p and t = 1 - x^2: |z| = x P(log2 t) in the centre and
// x Q(sqrt(-log2 t)) in the tails. p is exact where it is small, so the tails lose nothing.

// The tail form begins at log2 t = -9; one draw in 1024 lies there.
const NORMAL_TAIL = -9.0;
// Keeps the tail's polynomial well conditioned: sqrt(-log2 t) lies in 3..5.57.
const NORMAL_TAIL_CENTRE = 4.25;

fn normal_step(value: vec4<f32>, x: vec4<f32>, coefficient: f32) -> vec4<f32> {
  return fma(value, x, vec4(coefficient));
}

// P of the centre, as a polynomial in log2 t.
fn normal_centre(x: vec4<f32>) -> vec4<f32> {
  var y = normal_step(vec4(2.1350909928941064e-10), x, 7.937888568676499e-09);
  y = normal_step(y, x, 8.487684510782856e-08);
  y = normal_step(y, x, -4.320678499425412e-07);
  y = normal_step(y, x, -1.5168083336902782e-05);
  y = normal_step(y, x, -5.631223029922694e-05);
  y = normal_step(y, x, 0.0010746187763288617);
  y = normal_step(y, x, 0.007824518717825413);
  y = normal_step(y, x, -0.22744250297546387);
  return normal_step(y, x, 1.2533130645751953);
}

// Q of the tails, as a polynomial in sqrt(-log2 t) - NORMAL_TAIL_CENTRE.
fn normal_tail(x: vec4<f32>) -> vec4<f32> {
  var y = normal_step(vec4(1.1947779967158567e-05), x, -7.579610246466473e-05);
  y = normal_step(y, x, 0.00019636339857243001);
  y = normal_step(y, x, -0.00034088140819221735);
  y = normal_step(y, x, 0.0006473624380305409);
  y = normal_step(y, x, -0.0015499474247917533);
  y = normal_step(y, x, 0.0029915953055024147);
  y = normal_step(y, x, 1.186371088027954);
  return normal_step(y, x, 4.771740436553955);
}

// Four normals from four words. Antisymmetric: the words w and ~w give -z and z.
fn normal_from_words(words: vec4<u32>) -> vec4<f32> {
  let nearer = min(words, ~words);
  let p = fma(vec4<f32>(nearer), vec4(0x1p-31), vec4(0x1p-32));
  let x = 1.0 - p;
  let log_t = log2(fma(p, x, p));
  var ratio = normal_centre(log_t);
  // Most groups of four have no draw in the tails and skip its cost.
  if (min(min(log_t.x, log_t.y), min(log_t.z, log_t.w)) < NORMAL_TAIL) {
    let tail = normal_tail(sqrt(max(-log_t, vec4(1.0))) - NORMAL_TAIL_CENTRE);
    ratio = select(ratio, tail, log_t < vec4(NORMAL_TAIL));
  }
  // The lower half of the words are the negative normals: the sign is the complement of the top bit.
  return bitcast<vec4<f32>>(bitcast<vec4<u32>>(x * ratio) | (~words & vec4(0x80000000u)));
}
