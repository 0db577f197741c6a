# Finds the tools that the scripts here need, and reports where missing ones come from. The scripts
# source this file and set $me to their names.

missing=0

# need NAME WHERE COMMAND…: sets the variable NAME to the first command that exists, unless it is
# already set.
need() {
  local name=$1 where=$2 command
  shift 2
  for command in ${!name:+"${!name}"} "$@"; do
    if command -v "$command" >/dev/null; then
      printf -v "$name" '%s' "$(command -v "$command")"
      export "${name?}"
      return
    fi
    # A tool that the caller selected must not be replaced silently.
    [[ -z ${!name:-} ]] || break
  done
  echo "$me: ${!name:-$1} is missing; install $where, or set $name to another tool" >&2
  missing=1
}

# Finds the compiler, the linker, and the tools that every script here needs.
need_common_tools() {
  need CLANG "the Swift toolchain or Debian's package clang" clang
  need LD64 "Debian's package lld-19" ld64.lld-19 /usr/lib/llvm-19/bin/ld64.lld
  # The toolchain's own tools are beside its compiler.
  beside=$(dirname "$(readlink -f "${CLANG:-/usr/bin/clang}")")
  need OBJDUMP "the Swift toolchain or Debian's package llvm-19" "$beside/llvm-objdump" llvm-objdump-19 llvm-objdump
  need READOBJ "Debian's package llvm-19" llvm-readobj-19 /usr/lib/llvm-19/bin/llvm-readobj
  need OBJCOPY "the Swift toolchain or Debian's package llvm" "$beside/llvm-objcopy" llvm-objcopy-19 llvm-objcopy
  need PYTHON "the package python3" python3
}

# Finds the tools that images/make needs, or ends the script. Sets `darwin_headers`, the options for
# a compiler that use Darwin's headers, and DARWIN_HEADERS, their folder.
need_image_tools() {
  need_common_tools
  need CLANG_LTO "Debian's package clang-19, whose link-time objects lld-19 reads" clang-19 /usr/lib/llvm-19/bin/clang
  need AR "the Swift toolchain or Debian's package llvm" "$beside/llvm-ar" llvm-ar-19 llvm-ar
  [[ $missing = 0 ]] || exit 2
  need_darwin_headers
}

# Sets these variables, and downloads the headers once.
need_darwin_headers() {
  local root
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
  if [[ -z ${DARWIN_HEADERS:-} ]]; then
    if ! bash "$root/Tests/Harness/Headers/check-darwin" --install; then
      echo "$me: Darwin's headers are missing; run 'Tests/Harness/Headers/check-darwin --install', which needs PyPI" >&2
      exit 2
    fi
    DARWIN_HEADERS=$(echo "$root"/.build-tools/ziglang-*/ziglang/lib/libc/include/any-darwin-any)
    export DARWIN_HEADERS
  fi
  # The headers come after clang's own, as on macOS.
  darwin_headers=(-nostdlibinc -idirafter "$DARWIN_HEADERS")
}

# build_runner FILE [OPTION…]: builds the program that runs the test cases.
build_runner() {
  local here
  here=$(dirname "${BASH_SOURCE[0]}")
  "$CLANG" -std=c11 -O1 -Wall -Wextra -Werror -fuse-ld=bfd -iquote "$DARWIN_HEADERS" -I "$here/dyld" -I "$here/images" \
    -I "$here/../../../Sources/RegistryC/include" "${@:2}" "$here"/{dyld,tests}/*.c -o "$1" -lpthread -ldl
}
