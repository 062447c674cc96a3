/*
 * The native kernels as a module of Node: which there are, and instances of them.
 *
 * Exports to JavaScript: `kernels`, an array of { name, lanes, isSupported }, and `open(name)`, an instance with the functions and
 * constants that the kernel exports, `memory()` and `grow(pages, buffer)`. An instance belongs to the thread that opened it.
 *
 * The memory of an instance lies in a reserve of address space that is larger than any address can reach, both ways; what is not in
 * use of it cannot be read or written. So a mistake in a kernel reads and writes its own memory or nothing, as in WebAssembly:
 * then the call throws.
 */
#define _GNU_SOURCE
#include <node_api.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "kernel.h"

extern const struct kernel* const all_kernels[];
extern const size_t kernel_count;

#define GIB (UINT64_C(1) << 30)
#define PAGE_BYTES 65536
/* In front of a memory: as far back as a gather reaches by an offset of 31 bits and a sign. */
#define FRONT_BYTES (2 * GIB)
#define MAX_BYTES (4 * GIB)
/* An address of 32 bits and an offset of 32 bits, and a page for the vector there. */
#define RESERVE_BYTES (FRONT_BYTES + 2 * MAX_BYTES + PAGE_BYTES)

#define MAX_ARGUMENTS 16

/* The call in hand on this thread: where to go on when it fails, and the reserve that it may fault in. */
struct attempt {
  jmp_buf back;
  const uint8_t* volatile reserve;
};
static _Thread_local struct attempt* volatile attempt_in_hand;

/* setjmp returns the argument of longjmp, which must not be 0; these are the traps of wasm-rt.h from 1 on, and a fault. */
#define TRAP_CODE(trap) ((int)(trap) + 1)

_Noreturn void native_kernel_trap(wasm_rt_trap_t trap) {
  struct attempt* attempt = attempt_in_hand;
  if (attempt == NULL) abort();
  longjmp(attempt->back, TRAP_CODE(trap));
}

static const char* words_of(int code) {
  switch (code - 1) {
    case WASM_RT_TRAP_OOB:
      return "the native kernel has left its memory";
    case WASM_RT_TRAP_INT_OVERFLOW:
      return "integer overflow in the native kernel";
    case WASM_RT_TRAP_DIV_BY_ZERO:
      return "division by zero in the native kernel";
    case WASM_RT_TRAP_NO_MEMORY:
      return "no address space for the memory of the native kernel";
    default:
      return "unreachable code in the native kernel";
  }
}

static struct sigaction former_action;
static int watches_faults;

/* A fault within the reserve of the call in hand ends that call; any other goes to the earlier handler. */
static void on_fault(int signal_number, siginfo_t* info, void* context) {
  struct attempt* attempt = attempt_in_hand;
  const uint8_t* at = info->si_addr;
  if (attempt != NULL && attempt->reserve != NULL && at >= attempt->reserve && at < attempt->reserve + RESERVE_BYTES)
    longjmp(attempt->back, TRAP_CODE(WASM_RT_TRAP_OOB));
  if (former_action.sa_flags & SA_SIGINFO) {
    former_action.sa_sigaction(signal_number, info, context);
  } else if (former_action.sa_handler == SIG_DFL || former_action.sa_handler == SIG_IGN) {
    /* The instruction faults again, without this handler. */
    sigaction(signal_number, &former_action, NULL);
  } else {
    former_action.sa_handler(signal_number);
  }
}

static void watch_faults(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
  action.sa_sigaction = on_fault;
  sigemptyset(&action.sa_mask);
  watches_faults = sigaction(SIGSEGV, &action, &former_action) == 0;
}

uint8_t* native_kernel_reserve(uint64_t bytes) {
  uint8_t* reserve = mmap(NULL, RESERVE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserve == MAP_FAILED) native_kernel_trap(WASM_RT_TRAP_NO_MEMORY);
  uint8_t* data = reserve + FRONT_BYTES;
  if (mprotect(data, bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(reserve, RESERVE_BYTES);
    native_kernel_trap(WASM_RT_TRAP_NO_MEMORY);
  }
  attempt_in_hand->reserve = reserve;
  return data;
}

struct opened;

/* A function of an instance, for JavaScript. */
struct bound {
  struct opened* opened;
  const struct kernel_function* function;
};

/* An instance; it lasts as long as its thread. */
struct opened {
  const struct kernel* kernel;
  const uint8_t* reserve;
  void* instance;
  struct bound* bound;
};

static napi_value fail(napi_env env, const char* why) {
  napi_throw_error(env, NULL, why);
  return NULL;
}

static int is_argument(napi_env env, napi_value value, char kind, struct kernel_argument* argument) {
  if (kind == 'f') return napi_get_value_double(env, value, &argument->number) == napi_ok;
  int32_t integer;
  bool truth;
  if (napi_get_value_int32(env, value, &integer) == napi_ok) argument->integer = (uint32_t)integer;
  else if (napi_get_value_bool(env, value, &truth) == napi_ok) argument->integer = truth;
  else return 0;
  return 1;
}

static napi_value call(napi_env env, napi_callback_info info) {
  napi_value values[MAX_ARGUMENTS];
  struct kernel_argument arguments[MAX_ARGUMENTS];
  size_t count = MAX_ARGUMENTS;
  struct bound* bound;
  if (napi_get_cb_info(env, info, &count, values, NULL, (void**)&bound) != napi_ok) return fail(env, "no arguments");
  const char* signature = bound->function->signature;
  for (size_t i = 0; signature[i] != 0; i++)
    if (i >= MAX_ARGUMENTS || i >= count || !is_argument(env, values[i], signature[i], &arguments[i]))
      return fail(env, "an argument of the native kernel is no number");
  struct attempt attempt = {.reserve = bound->opened->reserve};
  attempt_in_hand = &attempt;
  const int code = _setjmp(attempt.back);
  uint32_t result = 0;
  if (code == 0) result = bound->function->call(bound->opened->instance, arguments);
  attempt_in_hand = NULL;
  if (code != 0) return fail(env, words_of(code));
  napi_value answer;
  return napi_create_int32(env, (int32_t)result, &answer) == napi_ok ? answer : NULL;
}

/* The memory in use, as an ArrayBuffer over it. */
static napi_value buffer_of(napi_env env, struct opened* opened) {
  const wasm_rt_memory_t* memory = opened->kernel->memory(opened->instance);
  napi_value buffer;
  if (napi_create_external_arraybuffer(env, memory->data, memory->size, NULL, NULL, &buffer) != napi_ok)
    return fail(env, "no ArrayBuffer over the memory of the native kernel");
  return buffer;
}

static napi_value memory_of(napi_env env, napi_callback_info info) {
  struct opened* opened;
  if (napi_get_cb_info(env, info, NULL, NULL, NULL, (void**)&opened) != napi_ok) return fail(env, "no instance");
  return buffer_of(env, opened);
}

/* Adds pages to the memory; the former buffer has no length any more, as in WebAssembly. */
static napi_value grow(napi_env env, napi_callback_info info) {
  struct opened* opened;
  napi_value values[2];
  size_t count = 2;
  uint32_t pages;
  if (napi_get_cb_info(env, info, &count, values, NULL, (void**)&opened) != napi_ok || count < 2 ||
      napi_get_value_uint32(env, values[0], &pages) != napi_ok)
    return fail(env, "grow takes pages and the buffer");
  wasm_rt_memory_t* memory = opened->kernel->memory(opened->instance);
  const uint64_t bytes = memory->size + (uint64_t)pages * PAGE_BYTES;
  if (bytes > MAX_BYTES || mprotect(memory->data, bytes, PROT_READ | PROT_WRITE) != 0) {
    napi_throw_range_error(env, NULL, "the memory of the native kernel cannot grow so far");
    return NULL;
  }
  memory->size = bytes;
  if (napi_detach_arraybuffer(env, values[1]) != napi_ok) return fail(env, "no buffer to detach");
  return buffer_of(env, opened);
}

static void close_instance(void* data) {
  struct opened* opened = data;
  munmap((void*)opened->reserve, RESERVE_BYTES);
  free(opened->instance);
  free(opened->bound);
  free(opened);
}

static int put_function(napi_env env, napi_value to, const char* name, napi_callback function, void* data) {
  napi_value value;
  return napi_create_function(env, name, NAPI_AUTO_LENGTH, function, data, &value) == napi_ok &&
         napi_set_named_property(env, to, name, value) == napi_ok;
}

static int put_kernel(napi_env env, napi_value to, struct opened* opened) {
  const struct kernel* kernel = opened->kernel;
  opened->bound = calloc(kernel->function_count, sizeof *opened->bound);
  if (opened->bound == NULL) return 0;
  for (size_t i = 0; i < kernel->function_count; i++) {
    opened->bound[i] = (struct bound){opened, &kernel->functions[i]};
    if (!put_function(env, to, kernel->functions[i].name, call, &opened->bound[i])) return 0;
  }
  for (size_t i = 0; i < kernel->constant_count; i++) {
    napi_value object, value;
    if (napi_create_object(env, &object) != napi_ok ||
        napi_create_uint32(env, *kernel->constants[i].place(opened->instance), &value) != napi_ok ||
        napi_set_named_property(env, object, "value", value) != napi_ok ||
        napi_set_named_property(env, to, kernel->constants[i].name, object) != napi_ok)
      return 0;
  }
  return put_function(env, to, "memory", memory_of, opened) && put_function(env, to, "grow", grow, opened);
}

static int is_supported(const struct kernel* kernel) {
#if defined(ANY_PROCESSOR)
  /* For tests: 16 lanes as pairs of vectors of AVX2. */
  return kernel != NULL;
#elif defined(__x86_64__)
  __builtin_cpu_init();
  if (kernel->lanes == 4) return __builtin_cpu_supports("sse4.1");
  if (kernel->lanes == 8) return __builtin_cpu_supports("avx2");
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return kernel->lanes == 4;
#endif
}

static const struct kernel* kernel_named(napi_env env, napi_value value) {
  char name[32];
  if (napi_get_value_string_utf8(env, value, name, sizeof name, NULL) != napi_ok) return NULL;
  for (size_t i = 0; i < kernel_count; i++)
    if (strcmp(all_kernels[i]->name, name) == 0) return all_kernels[i];
  return NULL;
}

static napi_value open_kernel(napi_env env, napi_callback_info info) {
  napi_value value, exports;
  size_t count = 1;
  if (napi_get_cb_info(env, info, &count, &value, NULL, NULL) != napi_ok || count < 1) return fail(env, "open takes a name");
  const struct kernel* kernel = kernel_named(env, value);
  if (kernel == NULL || !is_supported(kernel)) return fail(env, "this processor has no such native kernel");
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_faults);
  if (!watches_faults) return fail(env, "faults of the native kernel cannot be watched");
  struct opened* opened = calloc(1, sizeof *opened);
  const size_t bytes = (kernel->instance_bytes + 63) & ~(size_t)63;
  void* instance = aligned_alloc(64, bytes);
  if (opened == NULL || instance == NULL) {
    free(opened);
    free(instance);
    return fail(env, "no memory for the native kernel");
  }
  memset(instance, 0, bytes);
  struct attempt attempt = {.reserve = NULL};
  attempt_in_hand = &attempt;
  const int code = _setjmp(attempt.back);
  if (code == 0) kernel->start(instance);
  attempt_in_hand = NULL;
  const uint8_t* reserve = attempt.reserve;
  if (code != 0) {
    if (reserve != NULL) munmap((void*)reserve, RESERVE_BYTES);
    free(opened);
    free(instance);
    return fail(env, words_of(code));
  }
  *opened = (struct opened){kernel, reserve, instance, NULL};
  if (napi_add_env_cleanup_hook(env, close_instance, opened) != napi_ok || napi_create_object(env, &exports) != napi_ok ||
      !put_kernel(env, exports, opened))
    return fail(env, "no object for the native kernel");
  return exports;
}

static int put_description(napi_env env, napi_value list, uint32_t i) {
  napi_value object, name, lanes, supported;
  return napi_create_object(env, &object) == napi_ok &&
         napi_create_string_utf8(env, all_kernels[i]->name, NAPI_AUTO_LENGTH, &name) == napi_ok &&
         napi_create_uint32(env, all_kernels[i]->lanes, &lanes) == napi_ok &&
         napi_get_boolean(env, is_supported(all_kernels[i]), &supported) == napi_ok &&
         napi_set_named_property(env, object, "name", name) == napi_ok &&
         napi_set_named_property(env, object, "lanes", lanes) == napi_ok &&
         napi_set_named_property(env, object, "isSupported", supported) == napi_ok &&
         napi_set_element(env, list, i, object) == napi_ok;
}

NAPI_MODULE_INIT() {
  napi_value list;
  if (napi_create_array(env, &list) != napi_ok) return NULL;
  for (uint32_t i = 0; i < kernel_count; i++)
    if (!put_description(env, list, i)) return NULL;
  if (napi_set_named_property(env, exports, "kernels", list) != napi_ok ||
      !put_function(env, exports, "open", open_kernel, NULL))
    return NULL;
  return exports;
}
