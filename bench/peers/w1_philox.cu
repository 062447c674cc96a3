// W1 by generators that CUDA programs use: Philox4x32 of 10 and of 7 rounds (Salmon et al. 2011; 7 is the fewest that pass BigCrush) with
// Box-Muller, and cuRAND's device API where its headers are. A path runs no loan: it counts three thresholds of C/L.
// Build: nvcc -O3 -use_fast_math -std=c++17 -arch=sm_90 -o w1_philox w1_philox.cu && ./w1_philox [PATHS ...]
// A C++ compiler builds it for the processor, to check the answer: g++ -O3 -std=c++17 -x c++ -o w1_philox w1_philox.cu
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#if defined(__CUDACC__) && __has_include(<curand_kernel.h>)
#include <curand_kernel.h>
#define WITH_CURAND 1
#else
#define WITH_CURAND 0
#endif

#ifdef __CUDACC__
#define ANYWHERE __host__ __device__ __forceinline__
#define ON_DEVICE __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#else
#define ANYWHERE inline
#define ON_DEVICE inline
#define UNROLL
#endif

namespace {

constexpr uint32_t STEPS = 720, GROUP = 256;
constexpr float TWO_PI = 6.2831853071795865f;

struct Words {
  uint32_t v[4];
};
struct Normals {
  float v[4];
};
// The drift of ln(C/L) in a step, its loadings of both normals, and ln of the ratios that are counted over the ratio at the start.
struct Market {
  float drift, first, second;
  float levels[3];
};
struct Counts {
  unsigned long long below[3];
};

ANYWHERE uint32_t upper_product(uint32_t a, uint32_t b) {
#ifdef __CUDA_ARCH__
  return __umulhi(a, b);
#else
  return uint32_t((uint64_t(a) * b) >> 32);
#endif
}

template <int ROUNDS>
ANYWHERE Words philox(Words x, uint32_t key0, uint32_t key1) {
  UNROLL for (int round = 0; round < ROUNDS; round++) {
    const uint32_t even = 0xd2511f53u * x.v[0], odd = 0xcd9e8d57u * x.v[2];
    const uint32_t even_upper = upper_product(0xd2511f53u, x.v[0]), odd_upper = upper_product(0xcd9e8d57u, x.v[2]);
    x = {{odd_upper ^ x.v[1] ^ key0, odd, even_upper ^ x.v[3] ^ key1, even}};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return x;
}

ANYWHERE void box_muller(uint32_t radius, uint32_t angle, float &first, float &second) {
  const float r = sqrtf(-2.0f * logf(fmaf(float(radius), 0x1p-32f, 0x1p-33f))), turn = float(int32_t(angle)) * (TWO_PI * 0x1p-32f);
  first = r * cosf(turn);
  second = r * sinf(turn);
}

// Each source of normals gives those of the next two steps.
template <int ROUNDS>
struct Philox {
  uint32_t path, seed, block;
  ANYWHERE Philox(uint32_t path, uint32_t seed) : path(path), seed(seed), block(0) {}
  ANYWHERE Normals next() {
    const Words words = philox<ROUNDS>({{path, block, 0, 0}}, seed, 0);
    block += 1;
    Normals z;
    box_muller(words.v[0], words.v[1], z.v[0], z.v[1]);
    box_muller(words.v[2], words.v[3], z.v[2], z.v[3]);
    return z;
  }
};

#if WITH_CURAND
struct CuRand {
  curandStatePhilox4_32_10_t state;
  ON_DEVICE CuRand(uint32_t path, uint32_t seed) { curand_init(seed, path, 0, &state); }
  ON_DEVICE Normals next() {
    const float4 z = curand_normal4(&state);
    return {{z.x, z.y, z.z, z.w}};
  }
};
#endif

// The lowest ln(C/L) of a path over its start.
template <class SOURCE>
ON_DEVICE float lowest_of(uint32_t path, uint32_t seed, const Market &market) {
  SOURCE source(path, seed);
  float value = 0, lowest = 0;
  for (uint32_t step = 0; step < STEPS; step += 2) {
    const Normals z = source.next();
    value += fmaf(market.first, z.v[0], fmaf(market.second, z.v[1], market.drift));
    lowest = fminf(lowest, value);
    value += fmaf(market.first, z.v[2], fmaf(market.second, z.v[3], market.drift));
    lowest = fminf(lowest, value);
  }
  return lowest;
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

template <class SOURCE>
__global__ void __launch_bounds__(GROUP) simulate(uint32_t paths, uint32_t seed, Market market, Counts *counts) {
  const uint32_t path = blockIdx.x * GROUP + threadIdx.x;
  const float lowest = path < paths ? lowest_of<SOURCE>(path, seed, market) : 0;
  UNROLL for (int level = 0; level < 3; level++) {
    const int below = __syncthreads_count(lowest < market.levels[level]);
    if (threadIdx.x == 0) atomicAdd(&counts->below[level], (unsigned long long)below);
  }
}

// Milliseconds of the kernel.
template <class SOURCE>
double run(uint32_t paths, uint32_t seed, const Market &market, Counts &counts) {
  static Counts *device = nullptr;
  static cudaEvent_t begin, end;
  if (device == nullptr) {
    CHECK(cudaMalloc(&device, sizeof(Counts)));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  CHECK(cudaMemset(device, 0, sizeof(Counts)));
  CHECK(cudaEventRecord(begin));
  simulate<SOURCE><<<(paths + GROUP - 1) / GROUP, GROUP>>>(paths, seed, market, device);
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&counts, device, sizeof(Counts), cudaMemcpyDeviceToHost));
  float milliseconds;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  return milliseconds;
}
const char *PLACE = "CUDA";
const std::vector<uint32_t> PATHS = {100000, 1000000, 4000000, 16000000};
#else
template <class SOURCE>
double run(uint32_t paths, uint32_t seed, const Market &market, Counts &counts) {
  const auto begin = std::chrono::steady_clock::now();
  counts = {};
  for (uint32_t path = 0; path < paths; path++) {
    const float lowest = lowest_of<SOURCE>(path, seed, market);
    for (int level = 0; level < 3; level++) counts.below[level] += lowest < market.levels[level];
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}
const char *PLACE = "C++";
const std::vector<uint32_t> PATHS = {20000};
#endif

// The known answers of Random123 for a counter and a key of 0.
template <int ROUNDS>
void check(const Words &known) {
  const Words got = philox<ROUNDS>({{0, 0, 0, 0}}, 0, 0);
  if (!std::equal(got.v, got.v + 4, known.v)) {
    fprintf(stderr, "Philox4x32-%d has a wrong answer\n", ROUNDS);
    exit(1);
  }
}

template <class SOURCE>
void measure(const char *name, const Market &market, const std::vector<uint32_t> &sizes) {
  for (const uint32_t paths : sizes) {
    constexpr int WARM_UP = 2, REPS = 9;
    std::vector<double> times;
    double below[3] = {};
    for (int rep = 0; rep < WARM_UP + REPS; rep++) {
      Counts counts;
      const double milliseconds = run<SOURCE>(paths, 1 + rep, market, counts);
      if (rep >= WARM_UP) times.push_back(milliseconds);
      for (int level = 0; level < 3; level++) below[level] += double(counts.below[level]);
    }
    std::sort(times.begin(), times.end());
    const double median = times[REPS / 2], pooled = double(paths) * (WARM_UP + REPS);
    printf("{\"impl\":\"%s in %s, f32\",\"P\":%u,\"reps\":%d,\"median_ms\":%.4f,\"pss\":%.5g,\"paths_pooled\":%.0f,\"p13\":%.6f,\"p11\":%.6f,\"p10\":%.6f}\n",
           name, PLACE, paths, REPS, median, double(paths) * STEPS / median * 1e3, pooled, below[0] / pooled, below[1] / pooled, below[2] / pooled);
  }
}

}  // namespace

int main(int count, char **sent) {
  check<10>({{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}});
  check<7>({{0x5f6fb709u, 0x0d893f64u, 0x4f121f81u, 0x4f730a48u}});
  const double hour = 1.0 / 8760, start = 1.5;
  const Market market = {float((0.01 - 0.64) / 2 * hour),
                         float((0.8 - 0.1 * 0.3) * std::sqrt(hour)),
                         float(-0.1 * std::sqrt(1 - 0.09) * std::sqrt(hour)),
                         {float(std::log(1.3 / start)), float(std::log(1.1 / start)), float(std::log(1 / start))}};
  std::vector<uint32_t> sizes;
  for (int i = 1; i < count; i++) sizes.push_back(uint32_t(atol(sent[i])));
  if (sizes.empty()) sizes = PATHS;
  measure<Philox<10>>("Philox4x32-10 Box-Muller", market, sizes);
  measure<Philox<7>>("Philox4x32-7 Box-Muller", market, sizes);
#if WITH_CURAND
  measure<CuRand>("cuRAND's device API", market, sizes);
#endif
}
