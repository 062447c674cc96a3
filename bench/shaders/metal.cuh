// The part of the Metal Shading Language that SPIRV-Cross writes for the kernels, for nvcc: so the kernels of the engine can be compiled for
// an NVIDIA GPU without its driver (bench/shaders/cuda.ts). For looking at machine code, not for running.
#pragma once
#include <cstdint>
typedef unsigned int uint;
#define FN __device__ __forceinline__
template <class T, unsigned long N> struct spvUnsafeArray {
  T elements[N ? N : 1];
  FN T &operator[](uint i) { return elements[i]; }
  FN constexpr const T &operator[](uint i) const { return elements[i]; }
};
template <class T> struct V2;
template <class T> struct V3;
template <class T> struct V4;
#define MEMBERS \
  FN T &operator[](uint i) { return (&x)[i]; } \
  FN const T &operator[](uint i) const { return (&x)[i]; }
template <class T> struct V2 {
  T x, y;
  V2() = default;
  FN constexpr explicit V2(T a) : x(a), y(a) {}
  FN constexpr V2(T a, T b) : x(a), y(b) {}
  template <class U> FN constexpr explicit V2(V2<U> v) : x(T(v.x)), y(T(v.y)) {}
  MEMBERS
  template <int A, int B> FN V2 swizzle2() const { return {(*this)[A], (*this)[B]}; }
};
template <class T> struct V3 {
  T x, y, z;
  V3() = default;
  FN constexpr explicit V3(T a) : x(a), y(a), z(a) {}
  FN constexpr V3(T a, T b, T c) : x(a), y(b), z(c) {}
  FN constexpr V3(V2<T> a, T c) : x(a.x), y(a.y), z(c) {}
  template <class U> FN constexpr explicit V3(V3<U> v) : x(T(v.x)), y(T(v.y)), z(T(v.z)) {}
  MEMBERS
  template <int A, int B> FN V2<T> swizzle2() const { return {(*this)[A], (*this)[B]}; }
  template <int A, int B, int C> FN V3 swizzle3() const { return {(*this)[A], (*this)[B], (*this)[C]}; }
};
template <class T> struct alignas(16) V4 {
  T x, y, z, w;
  V4() = default;
  FN constexpr explicit V4(T a) : x(a), y(a), z(a), w(a) {}
  FN constexpr V4(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  FN constexpr V4(V2<T> a, T c, T d) : x(a.x), y(a.y), z(c), w(d) {}
  FN constexpr V4(V2<T> a, V2<T> b) : x(a.x), y(a.y), z(b.x), w(b.y) {}
  FN constexpr V4(V3<T> a, T d) : x(a.x), y(a.y), z(a.z), w(d) {}
  FN constexpr V4(T a, V3<T> b) : x(a), y(b.x), z(b.y), w(b.z) {}
  FN constexpr V4(T a, T b, V2<T> c) : x(a), y(b), z(c.x), w(c.y) {}
  FN constexpr V4(T a, V2<T> b, T c) : x(a), y(b.x), z(b.y), w(c) {}
  template <class U> FN constexpr explicit V4(V4<U> v) : x(T(v.x)), y(T(v.y)), z(T(v.z)), w(T(v.w)) {}
  MEMBERS
  template <int A, int B> FN V2<T> swizzle2() const { return {(*this)[A], (*this)[B]}; }
  template <int A, int B, int C> FN V3<T> swizzle3() const { return {(*this)[A], (*this)[B], (*this)[C]}; }
  template <int A, int B, int C, int D> FN V4 swizzle4() const { return {(*this)[A], (*this)[B], (*this)[C], (*this)[D]}; }
};
#define BINARY(V, EACH, R, op) \
  template <class T> FN V<R> operator op(V<T> a, V<T> b) { return {a.x op b.x EACH(op)}; }
#define MORE2(op) , a.y op b.y
#define MORE3(op) , a.y op b.y, a.z op b.z
#define MORE4(op) , a.y op b.y, a.z op b.z, a.w op b.w
#define ALL(R, op) BINARY(V2, MORE2, R, op) BINARY(V3, MORE3, R, op) BINARY(V4, MORE4, R, op)
ALL(T, +) ALL(T, -) ALL(T, *) ALL(T, /) ALL(T, &) ALL(T, |) ALL(T, ^) ALL(T, <<) ALL(T, >>)
ALL(bool, <) ALL(bool, >) ALL(bool, <=) ALL(bool, >=) ALL(bool, ==) ALL(bool, !=)
#define SCALAR(op) \
  template <class T> FN V2<T> operator op(V2<T> a, T b) { return a op V2<T>(b); } \
  template <class T> FN V2<T> operator op(T a, V2<T> b) { return V2<T>(a) op b; } \
  template <class T> FN V3<T> operator op(V3<T> a, T b) { return a op V3<T>(b); } \
  template <class T> FN V3<T> operator op(T a, V3<T> b) { return V3<T>(a) op b; } \
  template <class T> FN V4<T> operator op(V4<T> a, T b) { return a op V4<T>(b); } \
  template <class T> FN V4<T> operator op(T a, V4<T> b) { return V4<T>(a) op b; }
SCALAR(+) SCALAR(-) SCALAR(*) SCALAR(/)
#define UNARY(op) \
  template <class T> FN V2<T> operator op(V2<T> a) { return {op a.x, op a.y}; } \
  template <class T> FN V3<T> operator op(V3<T> a) { return {op a.x, op a.y, op a.z}; } \
  template <class T> FN V4<T> operator op(V4<T> a) { return {op a.x, op a.y, op a.z, op a.w}; }
UNARY(-) UNARY(~) UNARY(!)
#define ASSIGN(op) \
  template <class T> FN V2<T> &operator op##=(V2<T> &a, V2<T> b) { return a = a op b; } \
  template <class T> FN V3<T> &operator op##=(V3<T> &a, V3<T> b) { return a = a op b; } \
  template <class T> FN V4<T> &operator op##=(V4<T> &a, V4<T> b) { return a = a op b; }
ASSIGN(+) ASSIGN(-) ASSIGN(*)
#undef ALL
typedef V2<float> f2; typedef V3<float> f3; typedef V4<float> f4;
typedef V2<uint> u2; typedef V3<uint> u3; typedef V4<uint> u4;
typedef V2<int> i2; typedef V3<int> i3; typedef V4<int> i4;
typedef V2<bool> bool2; typedef V3<bool> bool3; typedef V4<bool> bool4;
#define float2 f2
#define float3 f3
#define float4 f4
#define uint2 u2
#define uint3 u3
#define uint4 u4
#define int2 i2
#define int3 i3
#define int4 i4
struct float4x4 {
  float4 c[4];
  float4x4() = default;
  FN constexpr float4x4(float4 a, float4 b, float4 d, float4 e) : c{a, b, d, e} {}
  FN float4 &operator[](uint i) { return c[i]; }
  FN const float4 &operator[](uint i) const { return c[i]; }
};
FN float4x4 transpose(float4x4 m) {
  return {float4(m.c[0].x, m.c[1].x, m.c[2].x, m.c[3].x), float4(m.c[0].y, m.c[1].y, m.c[2].y, m.c[3].y),
          float4(m.c[0].z, m.c[1].z, m.c[2].z, m.c[3].z), float4(m.c[0].w, m.c[1].w, m.c[2].w, m.c[3].w)};
}
struct float4x2 {
  float2 c[4];
  float4x2() = default;
  FN constexpr float4x2(float2 a, float2 b, float2 d, float2 e) : c{a, b, d, e} {}
  FN float2 &operator[](uint i) { return c[i]; }
  FN const float2 &operator[](uint i) const { return c[i]; }
};
struct float2x4 {
  float4 c[2];
  float2x4() = default;
  FN constexpr float2x4(float4 a, float4 b) : c{a, b} {}
};
FN float4x2 transpose(float2x4 m) {
  return {float2(m.c[0].x, m.c[1].x), float2(m.c[0].y, m.c[1].y), float2(m.c[0].z, m.c[1].z), float2(m.c[0].w, m.c[1].w)};
}
FN float2 operator*(float4x2 m, float4 v) { return m.c[0] * v.x + m.c[1] * v.y + m.c[2] * v.z + m.c[3] * v.w; }
FN float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
template <class To> struct As { template <class From> static FN To of(From f) { union U { From a; To b; FN U() {} } u; u.a = f; return u.b; } };
template <> struct As<float> { static FN float of(uint u) { return __uint_as_float(u); } static FN float of(int u) { return __int_as_float(u); } static FN float of(float u) { return u; } };
template <> struct As<uint> { static FN uint of(float f) { return __float_as_uint(f); } static FN uint of(int f) { return uint(f); } static FN uint of(uint f) { return f; } };
template <> struct As<int> { static FN int of(float f) { return __float_as_int(f); } static FN int of(uint f) { return int(f); } static FN int of(int f) { return f; } };
template <class S> struct As<V2<S>> { template <class T> static FN V2<S> of(V2<T> v) { return {As<S>::of(v.x), As<S>::of(v.y)}; } };
template <class S> struct As<V3<S>> { template <class T> static FN V3<S> of(V3<T> v) { return {As<S>::of(v.x), As<S>::of(v.y), As<S>::of(v.z)}; } };
template <class S> struct As<V4<S>> { template <class T> static FN V4<S> of(V4<T> v) { return {As<S>::of(v.x), As<S>::of(v.y), As<S>::of(v.z), As<S>::of(v.w)}; } };
template <class To, class From> FN To as_type(From f) { return As<To>::of(f); }

#define MAP1(name, T, expr) \
  FN T name(T a) { return expr(a); } \
  FN V2<T> name(V2<T> a) { return {expr(a.x), expr(a.y)}; } \
  FN V3<T> name(V3<T> a) { return {expr(a.x), expr(a.y), expr(a.z)}; } \
  FN V4<T> name(V4<T> a) { return {expr(a.x), expr(a.y), expr(a.z), expr(a.w)}; }
#define MAP2(name, T, expr) \
  FN T name(T a, T b) { return expr(a, b); } \
  FN V2<T> name(V2<T> a, V2<T> b) { return {expr(a.x, b.x), expr(a.y, b.y)}; } \
  FN V3<T> name(V3<T> a, V3<T> b) { return {expr(a.x, b.x), expr(a.y, b.y), expr(a.z, b.z)}; } \
  FN V4<T> name(V4<T> a, V4<T> b) { return {expr(a.x, b.x), expr(a.y, b.y), expr(a.z, b.z), expr(a.w, b.w)}; }
#define SIGN(a) ((a) > 0.0f ? 1.0f : (a) < 0.0f ? -1.0f : 0.0f)
#define UMIN(a, b) ((a) < (b) ? (a) : (b))
#define UMAX(a, b) ((a) > (b) ? (a) : (b))
namespace metal {
MAP1(log2, float, __log2f) MAP1(exp2, float, exp2f) MAP1(sqrt, float, sqrtf) MAP1(floor, float, floorf) MAP1(rint, float, rintf)
MAP1(abs, float, fabsf) MAP1(sign, float, SIGN) MAP1(trunc, float, truncf) MAP1(rsqrt, float, rsqrtf)
MAP2(fmin, float, fminf) MAP2(fmax, float, fmaxf) MAP2(min, uint, UMIN) MAP2(max, uint, UMAX) MAP2(min, float, fminf) MAP2(max, float, fmaxf)
FN float fma(float a, float b, float c) { return fmaf(a, b, c); }
FN f2 fma(f2 a, f2 b, f2 c) { return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y)}; }
FN f4 fma(f4 a, f4 b, f4 c) { return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)}; }
template <class T> FN T select(T a, T b, bool c) { return c ? b : a; }
template <class T> FN V2<T> select(V2<T> a, V2<T> b, bool2 c) { return {c.x ? b.x : a.x, c.y ? b.y : a.y}; }
template <class T> FN V3<T> select(V3<T> a, V3<T> b, bool3 c) { return {c.x ? b.x : a.x, c.y ? b.y : a.y, c.z ? b.z : a.z}; }
template <class T> FN V4<T> select(V4<T> a, V4<T> b, bool4 c) { return {c.x ? b.x : a.x, c.y ? b.y : a.y, c.z ? b.z : a.z, c.w ? b.w : a.w}; }
FN bool all(bool2 c) { return c.x && c.y; }
FN bool any(bool2 c) { return c.x || c.y; }
FN bool all(bool4 c) { return c.x && c.y && c.z && c.w; }
FN bool any(bool4 c) { return c.x || c.y || c.z || c.w; }
FN float clamp(float x, float a, float b) { return fminf(fmaxf(x, a), b); }
FN uint clamp(uint x, uint a, uint b) { return UMIN(UMAX(x, a), b); }
FN f4 clamp(f4 x, f4 a, f4 b) { return fmin(fmax(x, a), b); }
FN uint extract_bits(uint v, uint offset, uint bits) { return (v >> offset) & (bits >= 32 ? 0xffffffffu : (1u << bits) - 1u); }
FN uint atomic_fetch_add(uint *p, uint v) { return atomicAdd(p, v); }
FN int atomic_fetch_add(int *p, int v) { return atomicAdd(p, v); }
FN uint atomic_fetch_max(uint *p, uint v) { return atomicMax(p, v); }
FN uint atomic_load(const uint *p) { return *(const volatile uint *)p; }
FN void atomic_store(uint *p, uint v) { *(volatile uint *)p = v; }
}

