#!/bin/sh
# Runs the bundle: ./run.sh smoke | bench [options] | test [options] | serve
#
#   smoke   what the GPU is and can; one answer checked (--software: of the software driver)
#   bench   npm run bench with its options, such as --gpu --peers peers
#   test    shader and engine tests on this host's GPU, against the processor path by path (--software likewise)
#   serve   the service; its variables (PORT, HOST, API_KEYS, ...) from the environment
#
# Looks for the Vulkan loader and for NVIDIA's driver file where they usually are and brings what is missing. Variables that
# are already set (VK_DRIVER_FILES, LD_LIBRARY_PATH) are kept.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PATH="${PATH:-/usr/local/bin:/usr/bin:/bin}:/sbin:/usr/sbin"

# Whether the system's own loader finds a library.
has_library() { ldconfig -p 2>/dev/null | grep -q "$1"; }
add_libraries() { LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$1"; }

for folder in /usr/local/nvidia/lib64 /usr/local/nvidia/lib; do
  if [ -d "$folder" ] && ! has_library libGLX_nvidia.so.0; then add_libraries "$folder"; fi
done
has_library libvulkan.so.1 || add_libraries "$here/lib/vulkan"
has_library libXext.so.6 || add_libraries "$here/lib/x"
if [ -n "${LD_LIBRARY_PATH:-}" ]; then export LD_LIBRARY_PATH; fi

if [ -z "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ]; then
  for file in /usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json /usr/share/vulkan/icd.d/nvidia_icd*.json \
    /etc/vulkan/icd.d/nvidia_icd*.json; do
    if [ -f "$file" ]; then VK_DRIVER_FILES=$file; break; fi
  done
  # A container can have the driver's libraries and not the file that names them.
  if [ -z "${VK_DRIVER_FILES:-}" ]; then
    library=$(find /usr/local/nvidia /usr/lib/x86_64-linux-gnu /usr/lib64 -name 'libGLX_nvidia.so.0' 2>/dev/null | head -n 1)
    if [ -n "$library" ]; then
      VK_DRIVER_FILES=$here/nvidia_icd.json
      printf '{"file_format_version":"1.0.0","ICD":{"library_path":"%s","api_version":"1.3.0"}}\n' "$library" >"$VK_DRIVER_FILES"
    fi
  fi
  if [ -n "${VK_DRIVER_FILES:-}" ]; then export VK_DRIVER_FILES; fi
fi

command=${1:-smoke}
[ $# -eq 0 ] || shift
cd "$here"
case $command in
  smoke) exec ./node build/bench/smoke.js "$@" ;;
  bench) exec ./node build/bench/main.js "$@" ;;
  test)
    if [ "${1:-}" = --software ]; then
      shift
      exec ./node scripts/test.mjs test/shader test/engine "$@"
    fi
    exec ./node scripts/test.mjs --gpu "$@"
    ;;
  serve) exec ./node dist/main.js ;;
  *) sed -n '2,7p' "$0" >&2; exit 2 ;;
esac
