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
  need OBJCOPY "the Swift toolchain or Debian's package llvm" "$beside/llvm-objcopy" llvm-objcopy-19 llvm-objcopy
  need PYTHON "the package python3" python3
}
