// A Vulkan loader for a driver without hardware: it stands in the place of libvulkan.so.1, so that Dawn opens Mesa's RADV, which with
// RADV_FORCE_FAMILY compiles for a GPU that is not there. RADV has no command buffers and no queue then: those of Dawn do nothing here, and
// every fence is reached. Pipelines are compiled by the driver itself. SHADERS_DRIVER is the path of the driver.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Function)(void);
typedef Function (*Lookup)(void *object, const char *name);

static Lookup instance_functions, device_functions;

// VK_SUCCESS, whatever the parameters are.
static int nothing(void) { return 0; }

static int no_layers(unsigned *count, void *layers) {
  (void)layers;
  *count = 0;
  return 0;
}

static Function replaced(const char *name) {
  static const char *const names[] = {"vkBeginCommandBuffer", "vkEndCommandBuffer", "vkQueueSubmit", "vkQueueWaitIdle",
                                       "vkDeviceWaitIdle",     "vkGetFenceStatus",   "vkWaitForFences", "vkResetFences"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(name, names[i]) == 0) return (Function)nothing;
  return strncmp(name, "vkCmd", 5) == 0 ? (Function)nothing : NULL;
}

static Function device_function(void *device, const char *name) {
  const Function own = replaced(name);
  return own != NULL ? own : device_functions(device, name);
}

static void open_driver(void) {
  const char *path = getenv("SHADERS_DRIVER");
  void *driver = path == NULL ? NULL : dlopen(path, RTLD_NOW);
  if (driver == NULL) {
    fprintf(stderr, "%s\n", path == NULL ? "SHADERS_DRIVER is not set." : dlerror());
    exit(1);
  }
  instance_functions = (Lookup)dlsym(driver, "vk_icdGetInstanceProcAddr");
  int (*const negotiate)(unsigned *) = (int (*)(unsigned *))dlsym(driver, "vk_icdNegotiateLoaderICDInterfaceVersion");
  unsigned version = 5;
  if (instance_functions == NULL || negotiate == NULL || negotiate(&version) != 0) {
    fprintf(stderr, "%s is no Vulkan driver.\n", path);
    exit(1);
  }
}

Function vkGetInstanceProcAddr(void *instance, const char *name) {
  if (instance_functions == NULL) open_driver();
  if (strcmp(name, "vkGetInstanceProcAddr") == 0) return (Function)vkGetInstanceProcAddr;
  if (strcmp(name, "vkEnumerateInstanceLayerProperties") == 0) return (Function)no_layers;
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
    device_functions = (Lookup)instance_functions(instance, name);
    return (Function)device_function;
  }
  const Function own = replaced(name);
  return own != NULL ? own : instance_functions(instance, name);
}
