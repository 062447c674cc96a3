// W1 as the shaders compute it, written in CUDA: shaders/lib, model/gbm_log_ratio.wgsl and product/loan.wgsl, line for line;
// beside it the same with both normals of the pair, as baskets draw them.
// Beside the WGSL on the same machine it shows what the way through Vulkan costs; without one, its machine code is what
// instructions are counted in (bench/shaders/main.ts). Fast maths: the hardware's own log2 and sqrt, as a driver uses them.
// Build: nvcc -O3 -use_fast_math -std=c++17 -arch=sm_90 -o w1_shader w1_shader.cu && ./w1_shader [PATHS ...]
// A C++ compiler builds it for the processor, to check the answer: g++ -O3 -std=c++17 -x c++ -o w1_shader w1_shader.cu
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifdef __CUDACC__
#define ANYWHERE __host__ __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#else
#define ANYWHERE static inline
#define UNROLL
#endif

namespace {

constexpr uint32_t PARITY = 0x1bd11bda, NEVER = 0xffffffff;
constexpr uint32_t STEPS = 720, GROUP = 128;
constexpr uint32_t BLOCK = 96, NEAR_ONE = 0xffefffffu;
constexpr float BEYOND = 3.0e38f, LOG2_E = 1.4426950408889634f;
// cos and sin of turns, minimax: test/fixtures/draws/fit_draws.py.
constexpr float COS_C0 = -1.57079101f, COS_C1 = 0.645892859f, COS_C2 = -0.0794343427f, COS_C3 = 0.00433309469f;
constexpr float SIN_C1 = -1.23369884f, SIN_C2 = 0.253653198f, SIN_C3 = -0.0208139662f, SIN_C4 = 0.000859689957f;

// What the uniform buffers hold: read at run time there, so no constants here.
struct Market {
  // Loadings of the two normals, and the drift of a step; then the projection of the pair: -2 ln 2 times its variance, its phase.
  float first, second, drift, variance;
  uint32_t phase;
};
struct Terms {
  float margin_call, liquidation, recovery, underwater, nominal_ratio;
  uint32_t top_up_steps;
};
struct Sums {
  unsigned long long margin_calls, liquidations, closeouts, underwater, open_steps, loss;
  uint32_t lowest;
};

struct U4 {
  uint32_t v[4];
};
struct F4 {
  float v[4];
};

ANYWHERE uint32_t bits_of(float x) {
#ifdef __CUDA_ARCH__
  return __float_as_uint(x);
#else
  uint32_t u;
  memcpy(&u, &x, 4);
  return u;
#endif
}
ANYWHERE float float_of(uint32_t u) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(u);
#else
  float x;
  memcpy(&x, &u, 4);
  return x;
#endif
}
ANYWHERE uint32_t rotate(uint32_t x, uint32_t n) { return (x << n) | (x >> (32 - n)); }

ANYWHERE void four_rounds(U4 &x, const uint32_t (&left)[4], const uint32_t (&right)[4]) {
  UNROLL for (int r = 0; r < 4; r++) {
    x.v[0] += x.v[1];
    x.v[2] += x.v[3];
    const uint32_t a = rotate(x.v[1], left[r]) ^ x.v[0], b = rotate(x.v[3], right[r]) ^ x.v[2];
    // Words 1 and 3 change places after each round.
    x.v[1] = b;
    x.v[3] = a;
  }
}

ANYWHERE U4 threefry(uint32_t path, uint32_t block, uint32_t pair, uint32_t key0) {
  constexpr uint32_t l0[4] = {10, 11, 13, 23}, r0[4] = {26, 21, 27, 5};
  constexpr uint32_t l1[4] = {6, 17, 25, 18}, r1[4] = {20, 11, 10, 20};
  const uint32_t key4 = PARITY ^ key0;
  U4 x = {{path + key0, block, pair, 0}};
  four_rounds(x, l0, r0);
  x.v[3] += key4 + 1;
  four_rounds(x, l1, r1);
  x.v[2] += key4;
  x.v[3] += key0 + 2;
  four_rounds(x, l0, r0);
  x.v[1] += key4;
  x.v[2] += key0;
  x.v[3] += 3;
  return x;
}

ANYWHERE uint32_t next_word(U4 &s) {
  const uint32_t word = s.v[0] + s.v[1] + s.v[3], c = s.v[2];
  s = {{s.v[1] ^ (s.v[1] >> 9), c + (c << 3), rotate(c, 21) + word, s.v[3] + 1}};
  return word;
}

struct Words {
  U4 radius, angle;
};

// The words of the four steps from `step` on; a block's stream is seeded where the block begins.
ANYWHERE Words draw_words(U4 &stream, uint32_t path, uint32_t step, uint32_t pair, uint32_t seed) {
  if (step % BLOCK == 0) stream = threefry(path, step / BLOCK, pair, seed);
  Words words;
  UNROLL for (int i = 0; i < 4; i++) {
    words.radius.v[i] = next_word(stream);
    words.angle.v[i] = next_word(stream);
  }
  return words;
}

ANYWHERE F4 log2_of(const U4 &words) {
  F4 l;
  UNROLL for (int i = 0; i < 4; i++) l.v[i] = log2f(fmaf(float(words.v[i]), 0x1p-32f, 0x1p-33f));
  const uint32_t *w = words.v;
  const uint32_t low = w[0] > w[1] ? w[0] : w[1], high = w[2] > w[3] ? w[2] : w[3];
  if ((low > high ? low : high) > NEAR_ONE) {
    UNROLL for (int i = 0; i < 4; i++) {
      const float v = fmaf(float(~w[i]), 0x1p-32f, 0x1p-33f);
      l.v[i] = w[i] > NEAR_ONE ? v * fmaf(v, -0.5f * LOG2_E, -LOG2_E) : l.v[i];
    }
  }
  return l;
}

ANYWHERE float quarter_turns(uint32_t word) { return fabsf(float(int32_t(word)) * 0x1p-30f) - 1.0f; }

ANYWHERE float cosine(float x, float x2) {
  float y = fmaf(COS_C3, x2, COS_C2);
  y = fmaf(y, x2, COS_C1);
  return fmaf(y, x2, COS_C0) * x;
}

ANYWHERE float sine(uint32_t word, float x2) {
  float y = fmaf(SIN_C4, x2, SIN_C3);
  y = fmaf(y, x2, SIN_C2);
  y = fmaf(y, x2, SIN_C1);
  y = fmaf(y, x2, 1.0f);
  return float_of(bits_of(y) ^ (word & 0x80000000u));
}

// The moves of log2(C/L) in four steps by both normals of the pair, as a basket draws them.
ANYWHERE F4 moves_of_two(const Words &words, const Market &market) {
  const F4 l = log2_of(words.radius);
  F4 moves;
  UNROLL for (int i = 0; i < 4; i++) {
    const uint32_t w = words.angle.v[i];
    const float r = sqrtf(-1.3862943611198906f * l.v[i]), x = quarter_turns(w), x2 = x * x;
    moves.v[i] = fmaf(market.second, r * sine(w, x2), fmaf(market.first, r * cosine(x, x2), market.drift));
  }
  return moves;
}

// The same by the projection of the pair.
ANYWHERE F4 moves_of_pair(const Words &words, const Market &market) {
  const F4 l = log2_of(words.radius);
  F4 moves;
  UNROLL for (int i = 0; i < 4; i++) {
    const float r = sqrtf(market.variance * l.v[i]), x = quarter_turns(words.angle.v[i] - market.phase), x2 = x * x;
    moves.v[i] = fmaf(r, cosine(x, x2), market.drift);
  }
  return moves;
}

struct Loan {
  float lowest, value;
  uint32_t deadline, end;
  float fall, rise;
};

ANYWHERE void loan_watch(Loan &s, const Terms &terms) {
  const bool ended = s.end != NEVER;
  s.deadline = ended ? NEVER : s.deadline;
  const bool called = s.deadline != NEVER;
  s.fall = ended ? -BEYOND : called ? terms.liquidation : terms.margin_call;
  s.rise = called ? terms.recovery : BEYOND;
}

ANYWHERE void loan_step(Loan &s, const Terms &terms, float value, uint32_t step) {
  const uint32_t kept = value >= terms.recovery ? NEVER : s.deadline;
  const uint32_t called = value < terms.margin_call ? step + terms.top_up_steps : NEVER;
  const uint32_t deadline = kept < called ? kept : called;
  const uint32_t closeout = step >= deadline ? 2 * step + 1 : NEVER;
  const uint32_t ended = value < terms.liquidation ? 2 * step : closeout;
  s.end = s.end < ended ? s.end : ended;
  s.deadline = deadline;
}

// One path; the term is a multiple of four steps.
template <bool PAIR>
ANYWHERE Loan run_path(uint32_t path, uint32_t steps, uint32_t seed, const Market &market, const Terms &terms) {
  Loan s = {BEYOND, 0, NEVER, NEVER, terms.margin_call, BEYOND};
  float log_ratio = 0;
  U4 stream = {};
#ifdef __CUDACC__
#pragma unroll 1
#endif
  for (uint32_t step = 0; step < steps; step += 4) {
    const Words words = draw_words(stream, path, step, 0, seed);
    F4 v = PAIR ? moves_of_pair(words, market) : moves_of_two(words, market);
    const float two = v.v[0] + v.v[1], three = two + v.v[2], four = three + v.v[3];
    v = {{log_ratio + v.v[0], log_ratio + two, log_ratio + three, log_ratio + four}};
    log_ratio = s.value = v.v[3];
    const float lowest = fminf(fminf(v.v[0], v.v[1]), fminf(v.v[2], v.v[3]));
    const float highest = fmaxf(fmaxf(v.v[0], v.v[1]), fmaxf(v.v[2], v.v[3]));
    s.lowest = fminf(s.lowest, lowest);
    if (lowest < s.fall || highest >= s.rise || step + 4 >= s.deadline) {
      UNROLL for (int i = 0; i < 4; i++) loan_step(s, terms, v.v[i], step + 1 + i);
      loan_watch(s, terms);
    }
  }
  return s;
}

ANYWHERE uint32_t inverted_key(float x) {
  const uint32_t u = bits_of(x);
  return ~(u ^ (u >= 0x80000000u ? 0xffffffffu : 0x80000000u));
}

ANYWHERE float shortfall(const Loan &s, const Terms &terms) {
  const float loss = fmaf(-terms.nominal_ratio, exp2f(s.value), 1.0f);
  return fminf(fmaxf(loss, 0.0f), 1.0f);
}

struct Flags {
  uint32_t called, liquidated, closed_out, underwater, end_step, loss;
};

ANYWHERE Flags finish(const Loan &s, const Terms &terms, uint32_t steps) {
  const bool ended = s.end != NEVER;
  return {s.lowest < terms.margin_call,
          ended && (s.end & 1) == 0,
          ended && (s.end & 1) == 1,
          s.lowest < terms.underwater,
          ended ? s.end >> 1 : steps,
          uint32_t(fmaf(shortfall(s, terms), 8388608.0f, 0.5f))};
}

#ifdef __CUDACC__
#define CHECK(call)                                                     \
  do {                                                                  \
    const cudaError_t error = call;                                     \
    if (error != cudaSuccess) {                                         \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));    \
      exit(1);                                                          \
    }                                                                   \
  } while (0)

template <bool PAIR>
__global__ void __launch_bounds__(GROUP) simulate(uint32_t paths, uint32_t steps, uint32_t seed, Market market, Terms terms, Sums *sums) {
  __shared__ uint32_t group[7];
  if (threadIdx.x < 7) group[threadIdx.x] = 0;
  __syncthreads();
  const uint32_t path = blockIdx.x * GROUP + threadIdx.x;
  if (path < paths) {
    const Loan s = run_path<PAIR>(path, steps, seed, market, terms);
    const Flags f = finish(s, terms, steps);
    if (f.called) atomicAdd(&group[0], f.called);
    if (f.liquidated) atomicAdd(&group[1], f.liquidated);
    if (f.closed_out) atomicAdd(&group[2], f.closed_out);
    if (f.underwater) atomicAdd(&group[3], f.underwater);
    atomicAdd(&group[4], f.end_step);
    if (f.loss) atomicAdd(&group[5], f.loss);
    atomicMax(&group[6], inverted_key(s.lowest));
  }
  __syncthreads();
  if (threadIdx.x < 6) atomicAdd(&(&sums->margin_calls)[threadIdx.x], (unsigned long long)group[threadIdx.x]);
  if (threadIdx.x == 6) atomicMax(&sums->lowest, group[6]);
}

// Milliseconds of the kernel.
template <bool PAIR>
double run(uint32_t paths, uint32_t seed, const Market &market, const Terms &terms, Sums &sums) {
  static Sums *device = nullptr;
  static cudaEvent_t begin, end;
  if (device == nullptr) {
    CHECK(cudaMalloc(&device, sizeof(Sums)));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  CHECK(cudaMemset(device, 0, sizeof(Sums)));
  CHECK(cudaEventRecord(begin));
  simulate<PAIR><<<(paths + GROUP - 1) / GROUP, GROUP>>>(paths, STEPS, seed, market, terms, device);
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sums, device, sizeof(Sums), cudaMemcpyDeviceToHost));
  float milliseconds;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  return milliseconds;
}
const char *NAME = "CUDA, the shaders' kernel f32";
const std::vector<uint32_t> PATHS = {100000, 1000000, 4000000, 16000000};
#else
template <bool PAIR>
double run(uint32_t paths, uint32_t seed, const Market &market, const Terms &terms, Sums &sums) {
  const auto begin = std::chrono::steady_clock::now();
  sums = {};
  for (uint32_t path = 0; path < paths; path++) {
    const Loan s = run_path<PAIR>(path, STEPS, seed, market, terms);
    const Flags f = finish(s, terms, STEPS);
    sums.margin_calls += f.called;
    sums.liquidations += f.liquidated;
    sums.closeouts += f.closed_out;
    sums.underwater += f.underwater;
    sums.open_steps += f.end_step;
    sums.loss += f.loss;
    sums.lowest = std::max(sums.lowest, inverted_key(s.lowest));
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}
const char *NAME = "C++, the shaders' kernel f32";
const std::vector<uint32_t> PATHS = {20000};
#endif

}  // namespace

template <bool PAIR>
void measure(const char *draws, const Market &market, const Terms &terms, const std::vector<uint32_t> &sizes) {
  for (const uint32_t paths : sizes) {
    constexpr int WARM_UP = 2, REPS = 9;
    std::vector<double> times;
    double called = 0, liquidated = 0, underwater = 0;
    for (int rep = 0; rep < WARM_UP + REPS; rep++) {
      Sums sums;
      const double milliseconds = run<PAIR>(paths, 1 + rep, market, terms, sums);
      if (rep >= WARM_UP) times.push_back(milliseconds);
      called += double(sums.margin_calls), liquidated += double(sums.liquidations), underwater += double(sums.underwater);
    }
    std::sort(times.begin(), times.end());
    const double median = times[REPS / 2], pooled = double(paths) * (WARM_UP + REPS);
    printf("{\"impl\":\"%s%s\",\"P\":%u,\"reps\":%d,\"median_ms\":%.4f,\"pss\":%.5g,\"paths_pooled\":%.0f,\"p13\":%.6f,\"p11\":%.6f,\"p10\":%.6f}\n",
           NAME, draws, paths, REPS, median, double(paths) * STEPS / median * 1e3, pooled, called / pooled, liquidated / pooled, underwater / pooled);
  }
}

int main(int count, char **sent) {
  const double hour = 1.0 / 8760, to_log2 = std::log2(std::exp(1.0)), n = 1.5, pi = std::acos(-1.0);
  const double scale = std::sqrt(hour) * to_log2, first = (0.8 - 0.1 * 0.3) * scale, second = -0.1 * std::sqrt(1 - 0.09) * scale;
  const double phase = std::atan2(second, first) / (2 * pi) * 4294967296.0;
  const Market market = {float(first), float(second), float((0.01 - 0.64) / 2 * hour * to_log2),
                         float(-2 * std::log(2.0) * (first * first + second * second)), uint32_t(std::llround(phase))};
  const Terms terms = {float(std::log2(1.3 / n)), float(std::log2(1.1 / n)), float(0), float(std::log2(1 / n)), float(n), STEPS};
  std::vector<uint32_t> sizes;
  for (int i = 1; i < count; i++) sizes.push_back(uint32_t(atol(sent[i])));
  if (sizes.empty()) sizes = PATHS;
  measure<true>("", market, terms, sizes);
  measure<false>(", both normals", market, terms, sizes);
}
