# The functions that both checks share: they find the tools, create a scratch folder, and print a
# line for each check. The checks source this file and set $me to their names.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../../.." && pwd)
headers=$root/Sources/RegistryC/include
source "$root/Tests/Harness/MachO/tools.sh"

need_common_tools
# Older versions do not support chained fixups. The condition uses no pipe, because a tool fails to
# write more output when its reader ends early.
if [[ $missing = 0 && $("$OBJDUMP" --help) != *--dyld-info* ]]; then
  echo "$me: $OBJDUMP does not support --dyld-info; install llvm-19, and set OBJDUMP to its llvm-objdump" >&2
  missing=1
fi

compare=("${PYTHON:-python3}" -B "$here/compare.py")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 passed=0

# verdict NAME WANTED STATUS: prints a check's line, and the reason if it failed.
verdict() {
  if [[ $3 = "$2" ]]; then
    echo "ok      $1"
    passed=$((passed + 1))
  else
    echo "FAILED  $1"
    [[ $2 = 0 ]] || echo "        exit status $3 instead of $2: no difference detected, or no comparison possible"
    cut -c 1-1000 "$work/log" | sed -n '1,15s/^/        /p'
    failed=$((failed + 1))
  fi
}

# check NAME COMMAND…: the command must succeed.
check() {
  local status=0
  "${@:2}" >"$work/log" 2>&1 || status=$?
  verdict "$1" 0 $status
}

# refuse NAME COMMAND…: the command must report a difference with status 1. Any other status is a
# failure.
refuse() {
  local status=0
  "${@:2}" >"$work/log" 2>&1 || status=$?
  verdict "$1" 1 $status
}

# Compiles for an Apple system without that system's headers. The record's header needs only those
# that come with the compiler.
darwin() {
  "$CLANG" -target "$1" -nostdlibinc -ffreestanding -O1 -Wall -Wextra -Werror -c "${@:2}"
}

# finish: prints the last line and sets the exit status.
finish() {
  echo "$passed passed, $failed failed"
  [[ $failed = 0 ]] || exit 1
}
