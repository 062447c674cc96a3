/*
 * What module.c knows of a kernel: kernel/build-native.mjs writes one of these for each width, from what the kernel exports.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "wasm-rt.h"

/* An argument as both kinds of number; the signature of the function says which counts. */
struct kernel_argument {
  uint32_t integer;
  double number;
};

struct kernel_function {
  const char* name;
  /* A letter for each argument: i for a 32-bit integer, f for a number. */
  const char* signature;
  uint32_t (*call)(void* instance, const struct kernel_argument* arguments);
};

struct kernel_constant {
  const char* name;
  uint32_t* (*place)(void* instance);
};

struct kernel {
  const char* name;
  uint32_t lanes;
  size_t instance_bytes;
  /* Makes an instance with a memory of its own. */
  void (*start)(void* instance);
  wasm_rt_memory_t* (*memory)(void* instance);
  const struct kernel_function* functions;
  size_t function_count;
  const struct kernel_constant* constants;
  size_t constant_count;
};
