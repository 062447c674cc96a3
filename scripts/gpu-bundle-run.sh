#!/bin/sh
# Runs the bundle: ./run.sh host | smoke | first [folder] | bench [options] | test [options] | serve
#
#   host    what is installed of the driver: to read where smoke finds no GPU
#   smoke   what the GPU is and can; one answer checked (--software: of the software driver)
#   first   the first ten minutes on a GPU: host, answers, W1 beside CUDA, cold kernels, plans, clients, agreement with the
#           processor, workgroup sizes, tests; each part saved as it ends, in the folder `first` or the one named, and a table of
#           what was found and what is missing (--software: on the software driver;
#           FIRST_SECONDS, 570: ends by then; FIRST_PARTS: parts to run; FIRST_OPTIONS: of every measurement, such as --quick)
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
{ has_library libXext.so.6 && has_library libEGL.so.1; } || add_libraries "$here/lib/x"
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

# One part of a first session: its own limit, or what is left of the whole; its output and how it ended are kept.
# Arguments: name, seconds, command.
part() {
  name=$1 limit=$(($2 * FIRST_SECONDS / 570))
  shift 2
  case " ${FIRST_PARTS:-$name} " in
    *" $name "*) ;;
    *) echo "$name: left out by FIRST_PARTS" | tee -a "$out/summary.txt"; return ;;
  esac
  left=$((FIRST_SECONDS - ($(date +%s) - began)))
  if [ "$left" -lt 10 ]; then
    echo "$name: left out for time" | tee -a "$out/summary.txt"
    return
  fi
  if [ "$limit" -gt "$left" ]; then limit=$left; fi
  from=$(date +%s) code=0
  # The group of the command ends with it: no process keeps the GPU.
  timeout -k 5 "$limit" "$@" >"$out/$name.txt" 2>"$out/$name.log" || code=$?
  case $code in
    0) how="done" ;;
    124 | 137) how="stopped after its $limit s; what it found is kept" ;;
    *) how="FAILED with code $code: $(tail -n 1 "$out/$name.log" | cut -c 1-200)" ;;
  esac
  echo "$name: $how, $(($(date +%s) - from)) s" | tee -a "$out/summary.txt"
}

# The files and variables that decide whether the Vulkan loader finds the GPU.
show_host() {
  uname -sr
  nvidia-smi || echo 'no nvidia-smi'
  echo 'libraries that the system finds:'
  ldconfig -p | grep -E 'libvulkan|libGLX_nvidia|libnvidia-glvkspirv|libEGL|libXext|libcuda' || echo 'none'
  echo "LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}"
  echo "VK_DRIVER_FILES=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}}"
  echo 'where no GPU is found, in this order:'
  if ! has_library libGLX_nvidia.so.0 && [ -z "$(find /usr/local/nvidia -name 'libGLX_nvidia.so.0' 2>/dev/null)" ]; then
    echo '  the driver is without Vulkan here: a package for computing alone (install libnvidia-gl), or a container whose'
    echo "  NVIDIA_DRIVER_CAPABILITIES (${NVIDIA_DRIVER_CAPABILITIES:-not set}) lack graphics"
  fi
  if nvidia-smi --query-gpu=mig.mode.current --format=csv,noheader 2>/dev/null | grep -qi enabled; then
    echo '  MIG is on: a part of a GPU has no Vulkan'
  fi
  has_library libEGL.so.1 || echo '  no libEGL.so.1 on the system: that of the bundle is used'
  for file in $(echo "${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}}" | tr : ' '); do cat "$file"; done
}

# The parts in the order of their worth. Every measurement checks its answer first.
first_session() {
  engine=gpu software=""
  if [ "${1:-}" = --software ]; then
    engine=gpu-software software=--software
    shift
  fi
  FIRST_SECONDS=${FIRST_SECONDS:-570}
  began=$(date +%s)
  mkdir -p "${1:-first}"
  out=$(cd "${1:-first}" && pwd)
  : >"$out/summary.txt"
  bench="./node build/bench/main.js --engine $engine ${FIRST_OPTIONS:-}"
  part host 20 ./run.sh host
  part smoke 60 env VK_LOADER_DEBUG=error,warn ./node build/bench/smoke.js $software
  part peers 150 $bench --section peers --peers peers --processes 2 --out "$out/peers"
  part kernels 60 $bench --section kernels --processes 1 --out "$out/kernels"
  # What is wanted first, in a report of its own.
  part plans 150 $bench --section plans --processes 1 --out "$out/plans" \
    --only w1 --only w1-distribution --only loan-five-assets --only garch --only book
  part http 60 $bench --section http --processes 1 --out "$out/http"
  part agreement 180 ./run.sh test $software test/engine/agreement --tags-filter='not slow'
  part workgroups 100 $bench --section workgroups --processes 1 --out "$out/workgroups"
  part all-plans 120 $bench --section plans --processes 1 --out "$out/all-plans"
  part tests 300 ./run.sh test $software --tags-filter='not slow'
  ./node build/bench/first.js "$out" >"$out/first.md"
  echo "kept in $out:"
  cat "$out/summary.txt" "$out/first.md"
  ! grep -q FAILED "$out/summary.txt"
}

command=${1:-smoke}
[ $# -eq 0 ] || shift
cd "$here"
case $command in
  host) show_host ;;
  smoke) exec ./node build/bench/smoke.js "$@" ;;
  bench) exec ./node build/bench/main.js "$@" ;;
  test)
    device=--gpu
    if [ "${1:-}" = --software ]; then
      device=""
      shift
    fi
    case "$*" in *test/*) ;; *) set -- test/shader test/engine "$@" ;; esac
    exec ./node scripts/test.mjs $device "$@"
    ;;
  first) first_session "$@" ;;
  serve) exec ./node dist/main.js ;;
  *) sed -n '2,14p' "$0" >&2; exit 2 ;;
esac
