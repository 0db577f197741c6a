# Functions that .ci/run and the scripts in .ci/steps share. Sourcing this file changes to the root
# of the repository, so that every script can be started from any folder.
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# MARK: For steps

# The flags of the release build that all steps share. Other flags would make SwiftPM rebuild it.
release=(-c release -Xswiftc -warnings-as-errors -Xcc -Werror)

# fail MESSAGE: reports why the step fails, and ends the script.
fail() {
  echo "error: $*"
  exit 1
}

# announce COMMAND…: prints the command with its relevant environment variables. From this line,
# digest.py derives the command that runs one test alone.
announce() {
  local variable
  printf '=== command:'
  for variable in "${!REGISTRY_@}" "${!ASAN_@}" "${!LSAN_@}"; do printf ' %s=%q' "$variable" "${!variable}"; done
  printf ' %q' "$@"
  echo
}

# swift_test ARGUMENT…: runs `swift test` and announces it.
swift_test() {
  announce swift test "$@"
  swift test "$@"
}

# swift_test_alone FLAG… -- ARGUMENT…: builds only what the tests need, and runs `swift test` with
# the flags and the arguments.
swift_test_alone() {
  local flags=()
  while [ "$1" != -- ]; do flags+=("$1") && shift; done
  shift
  announce swift test "${flags[@]}" "$@"
  bash Tests/Harness/build-tests "${flags[@]}" && swift test --skip-build "${flags[@]}" "$@"
}

# release_program NAME: prints the path of a program in the release build. `swift test list` updates
# that build with the flags of the step release-tests. `swift build` would compile the modules
# without testability, and so rebuild them all.
release_program() {
  local folder
  export REGISTRY_ALL_TESTS=1
  swift test list "${release[@]}" >"$work/tests" || { cat "$work/tests" >&2; return 1; }
  folder=$(swift build "${release[@]}" --show-bin-path) && echo "$folder/$1"
}

# MARK: For the list of steps

names=() forms=() lanes=() commands=() lane=first

# These functions add a step: to both forms, to the short form, to the long form, or to both with
# the option --long in the long form. A step can be added twice, once for each form.
step() { add both "$@"; }
short() { add short "$@"; }
long() { add long "$@"; }
longer() { short "$@" && long "$@" --long; }

# add FORM NAME COMMAND…: adds a step. The command is a script, relative to the root, or `swift`,
# with its arguments.
add() {
  local command=${*:3}
  [ "$3" = swift ] || command="bash $command"
  forms+=("$1") names+=("$2") lanes+=("$lane") commands+=("$command")
}

# run_steps [--list] [--long] [STEP…]: runs all steps of a form, or only the named steps, in that
# form if they have it. The lane `first` runs before the others, `left` and `right` run side by
# side, and `last` runs after them.
run_steps() {
  local form=short limit=${CI_LIMIT:-2700} numbers=() argument started=$SECONDS
  if [ "${1:-}" = --list ]; then
    for argument in "${!names[@]}"; do
      printf '%-21s %-5s  %s\n' "${names[argument]}" "${forms[argument]}" "${commands[argument]}"
    done
    return
  fi
  if [ "${1:-}" = --long ]; then
    form=long
    shift
  fi
  touch "$work/failed" "$work/times"
  # The steps that build the additional suites set this variable themselves.
  unset REGISTRY_ALL_TESTS
  # Each step is a child process, so its process id is enough to end it.
  trap 'cat "$work"/*.pid 2>/dev/null | xargs -r kill 2>/dev/null; exit 130' INT TERM
  if [ $# -gt 0 ]; then
    for argument in "$@"; do
      find_step "$argument" || { echo "error: there is no step '$argument'; .ci/run --list prints them" >&2; exit 2; }
    done
    run_lane "${numbers[@]}"
  else
    select_lane first && run_lane "${numbers[@]}"
    select_lane right
    (run_lane "${numbers[@]}") &
    echo $! >"$work/right.pid"
    select_lane left && run_lane "${numbers[@]}"
    wait
    rm -f "$work/right.pid"
    select_lane last && run_lane "${numbers[@]}"
  fi
  summarize $((SECONDS - started))
}

# Sets `numbers` to the steps of a lane in this form.
select_lane() {
  local number
  numbers=()
  for number in "${!names[@]}"; do
    [ "${lanes[number]}" = "$1" ] || continue
    [ "${forms[number]}" = both ] || [ "${forms[number]}" = $form ] || continue
    numbers+=("$number")
  done
}

# Adds the step with this name to `numbers`.
find_step() {
  local number found=
  for number in "${!names[@]}"; do
    [ "${names[number]}" = "$1" ] || continue
    [ -n "$found" ] && [ "${forms[number]}" != $form ] || found=$number
  done
  [ -n "$found" ] || return
  numbers+=("$found")
}

run_lane() {
  local number
  for number in "$@"; do run_step "${names[number]}" "${commands[number]}"; done
}

# run_step NAME COMMAND: runs a step and prints its output when it ends, so that the output of the
# lanes does not mix.
run_step() {
  local name=$1 command=$2 from=$SECONDS used before log=$work/$1.log result=ok status
  set_used && before=$used
  echo "=== $name: $command" | print_block
  # shellcheck disable=SC2086 # The command is a list of words.
  echo "=== command: $command" >"$log"
  timeout --kill-after=10 $limit $command >>"$log" 2>&1 &
  echo $! >"$work/$name.pid"
  wait $!
  status=$?
  rm -f "$work/$name.pid"
  [ $status = 0 ] || result=FAILED
  # A process that ignores the first signal is killed by the second one.
  if { [ $status = 124 ] || [ $status = 137 ]; } && [ $((SECONDS - from)) -ge $limit ]; then
    echo "timed out after $limit s" >>"$log"
  fi
  set_used
  echo "$((SECONDS - from)) $((used - before)) $name $result" >>"$work/times"
  [ $result = ok ] || printf '%s\n' "$name" "$command" "$log" >>"$work/failed"
  { echo "=== $name: output"; cat "$log"; echo "=== $name: $result, $((SECONDS - from)) s"; } | print_block
}

# Sets `used` to the seconds of processor time that this lane's finished processes have used. A
# command substitution is a process of its own, in which `times` would print zeros.
set_used() {
  times >"$work/$name.used"
  used=$(awk 'NR == 2 { split($1 "m" $2, part, /[ms]+/); print int(60 * (part[1] + part[3]) + part[2] + part[4]) }' \
    "$work/$name.used")
}

# Prints standard input without interleaving lines of the other lane.
print_block() (
  flock 9
  cat
) 9>>"$work/lock"

# Prints the duration and the processor time of each step, and finally the failures. digest.py
# writes at most thirty lines.
summarize() {
  local failed
  echo "=== seconds and processor seconds by step, $1 s in total"
  sort -rn "$work/times" | awk '{ printf "%6d %6d  %s%s\n", $1, $2, $3, $4 == "ok" ? "" : "  " $4 }'
  if [ ! -s "$work/failed" ]; then
    echo "everything passed"
    return
  fi
  mapfile -t failed <"$work/failed"
  python3 .ci/digest.py "${failed[@]}"
  exit 1
}
