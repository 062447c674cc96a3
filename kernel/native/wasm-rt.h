/*
 * The runtime that the C of wasm2c wants: memory, traps, and the operations on single numbers that the kernel uses.
 *
 * An address has 32 bits and the memory lies in a reserve of more than that (module.c), so that no access checks its bounds:
 * one beyond the memory is a fault of the processor, which module.c turns into an error, and none reaches anything else.
 */
#pragma once
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  uint8_t* data;
  uint64_t size;
} wasm_rt_memory_t;
/* A type of functions in a table: the kernel has none. */
typedef const char* wasm_rt_func_type_t;

/* Why a call has ended; module.c says it in words. */
typedef enum {
  WASM_RT_TRAP_OOB,
  WASM_RT_TRAP_INT_OVERFLOW,
  WASM_RT_TRAP_DIV_BY_ZERO,
  WASM_RT_TRAP_UNREACHABLE,
  WASM_RT_TRAP_NO_MEMORY,
} wasm_rt_trap_t;
_Noreturn void native_kernel_trap(wasm_rt_trap_t trap);
/* Reserves the address space of a memory, with so many bytes of it in use. */
uint8_t* native_kernel_reserve(uint64_t bytes);

#define TRAP(why) native_kernel_trap(WASM_RT_TRAP_##why)
#define UNREACHABLE TRAP(UNREACHABLE)
/* The place of the memory cannot change during a call: the compiler keeps a copy in a register. */
#define FUNC_PROLOGUE                                   \
  const wasm_rt_memory_t memory = instance->w2c_memory; \
  (void)memory;
#define FUNC_EPILOGUE

#define SMALL static inline __attribute__((always_inline, unused))

SMALL void wasm_rt_allocate_memory(wasm_rt_memory_t* memory, uint64_t pages, uint64_t most, int is64,
                                   uint64_t page_bytes) {
  (void)most;
  (void)is64;
  memory->size = pages * page_bytes;
  memory->data = native_kernel_reserve(memory->size);
}
/* module.c frees it, with the instance. */
SMALL void wasm_rt_free_memory(wasm_rt_memory_t* memory) { (void)memory; }
#define wasm_rt_is_initialized() 1

#define LOAD(name, type, result)                                                     \
  SMALL result name##_default32(const wasm_rt_memory_t* memory, uint64_t address) { \
    type x;                                                                          \
    memcpy(&x, memory->data + address, sizeof x);                                    \
    return x;                                                                        \
  }
#define STORE(name, type, value)                                                                \
  SMALL void name##_default32(const wasm_rt_memory_t* memory, uint64_t address, value number) { \
    const type x = (type)number;                                                                \
    memcpy(memory->data + address, &x, sizeof x);                                               \
  }
LOAD(i32_load, uint32_t, uint32_t)
LOAD(i32_load16_u, uint16_t, uint32_t)
LOAD(f32_load, float, float)
LOAD(f64_load, double, double)
STORE(i32_store, uint32_t, uint32_t)
STORE(i32_store16, uint16_t, uint32_t)
STORE(f32_store, float, float)
STORE(f64_store, double, double)

SMALL void memory_fill(const wasm_rt_memory_t* memory, uint64_t at, uint32_t value, uint64_t bytes) {
  if (__builtin_expect(at + bytes > memory->size, 0)) TRAP(OOB);
  memset(memory->data + at, (int)value, bytes);
}
SMALL void memory_copy(const wasm_rt_memory_t* to, const wasm_rt_memory_t* from, uint64_t at, uint64_t source,
                       uint64_t bytes) {
  if (__builtin_expect(at + bytes > to->size || source + bytes > from->size, 0)) TRAP(OOB);
  memmove(to->data + at, from->data + source, bytes);
}

SMALL uint32_t I32_DIV_S(uint32_t a, uint32_t b) {
  if (__builtin_expect(b == 0, 0)) TRAP(DIV_BY_ZERO);
  if (__builtin_expect((int32_t)a == INT32_MIN && (int32_t)b == -1, 0)) TRAP(INT_OVERFLOW);
  return (uint32_t)((int32_t)a / (int32_t)b);
}
SMALL uint32_t I32_REM_S(uint32_t a, uint32_t b) {
  if (__builtin_expect(b == 0, 0)) TRAP(DIV_BY_ZERO);
  return (int32_t)b == -1 ? 0 : (uint32_t)((int32_t)a % (int32_t)b);
}
SMALL uint32_t DIV_U(uint32_t a, uint32_t b) {
  if (__builtin_expect(b == 0, 0)) TRAP(DIV_BY_ZERO);
  return a / b;
}
SMALL uint32_t REM_U(uint32_t a, uint32_t b) {
  if (__builtin_expect(b == 0, 0)) TRAP(DIV_BY_ZERO);
  return a % b;
}
#define I32_CLZ(x) ((x) ? (uint32_t)__builtin_clz(x) : 32u)
#define I32_CTZ(x) ((x) ? (uint32_t)__builtin_ctz(x) : 32u)
#define I32_ROTL(x, bits) (((x) << ((bits) & 31)) | ((x) >> (-(bits) & 31)))

SMALL float f32_reinterpret_i32(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
/* The processor makes a signalling NaN quiet by itself, and the kernel has none. */
#define wasm_quiet(x) (x)
#define wasm_quietf(x) (x)
#define wasm_floor __builtin_floor
#define wasm_fabs __builtin_fabs
#define wasm_sqrt __builtin_sqrt
SMALL double f64_min(double a, double b) {
  if (a != a || b != b) return NAN;
  if (a == b) return signbit(a) ? a : b;
  return a < b ? a : b;
}
SMALL double f64_max(double a, double b) {
  if (a != a || b != b) return NAN;
  if (a == b) return signbit(a) ? b : a;
  return a > b ? a : b;
}
/* Of doubles only: the kernel has no minimum or maximum of two single numbers. */
#define FMIN f64_min
#define FMAX f64_max
