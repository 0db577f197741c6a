# Functions that .ci/run, the scripts in .ci/steps, and harnesses share. Sourcing this file changes
# to the root of the repository, so that every script can be started from any folder.
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# MARK: For steps

# The flags of the release build that all steps share. Other flags would make SwiftPM rebuild it.
release=(-c release --scratch-path .build-release -Xswiftc -warnings-as-errors -Xcc -Werror)

# fail MESSAGE: reports why the step fails, and ends the script.
fail() {
  echo "error: $*"
  exit 1
}

# swift_test ARGUMENT…: runs `swift test`. It prints the command, with the relevant variables, so
# that digest.py can derive the command that runs one test. In a run of .ci/run, the folder
# CI_EVENTS receives the events of the tests.
swift_test() {
  local variable events=()
  printf '=== command:'
  for variable in "${!REGISTRY_@}" "${!ASAN_@}" "${!LSAN_@}"; do printf ' %s=%q' "$variable" "${!variable}"; done
  printf ' %q' swift test "$@"
  echo
  local path=
  [ -z "${CI_EVENTS:-}" ] || path=$(mktemp "$CI_EVENTS/XXXXXX.json")
  [ -z "$path" ] || events=(--event-stream-version 0 --event-stream-output-path "$path")
  swift test "$@" ${events+"${events[@]}"} || return
  # A filter that selects nothing, and a process that ends with the status 0 during a test, must fail.
  [ -z "$path" ] || { grep -q testEnded "$path" && grep -q runEnded "$path"; } || fail "no run of tests ended"
}

# swift_test_alone FLAG… -- ARGUMENT…: builds only what the tests need, and runs `swift test` with
# the flags and the arguments.
swift_test_alone() {
  local flags=()
  while [ "$1" != -- ]; do flags+=("$1") && shift; done
  shift
  bash Tests/Harness/build-tests "${flags[@]}" && swift_test --skip-build "${flags[@]}" "$@"
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

# MARK: For harnesses with several checks

passed=0 failed=0

# check NAME COMMAND…: runs a command, and prints its result. If the command fails, prints the errors
# and the end of its output, and returns 1.
check() {
  local from=$SECONDS
  if "${@:2}" >"$work/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok      $1, $((SECONDS - from)) s"
  else
    failed=$((failed + 1))
    echo "FAILED  $1"
    { grep -aE 'error|warning' "$work/log" | sort -u | head -n 20; tail -n 20 "$work/log"; } |
      sed "s,$work/,,g; s/^/        /" | cut -c 1-1000
    return 1
  fi
}

# finish: prints the numbers of checks, and ends the script.
finish() {
  echo "$passed passed, $failed failed"
  exit $((failed > 0))
}

# MARK: For the list of steps

names=() forms=() lanes=() limits=() commands=() lane=first

# These functions add a step, as NAME LIMIT COMMAND…, to both forms, to one form, or to both with
# the option --long in the long form. A step that takes longer than LIMIT seconds fails. The command
# is an executable script, relative to the root, with its arguments.
step() { add both "$@"; }
short() { add short "$@"; }
long() { add long "$@"; }
longer() { short "$@" && long "$@" --long; }

add() {
  forms+=("$1") names+=("$2") limits+=("$3") lanes+=("$lane") commands+=("${*:4}")
}

# run_steps [--list] [--long] [STEP…]: runs all steps of a form, or only the named steps, in that
# form if they have it. The lane `first` runs before the others, `left` and `right` run side by
# side, and `last` runs after them.
run_steps() {
  local form=short number numbers=() name
  case ${1:-} in
    --list)
      for number in "${!names[@]}"; do
        printf '%-21s %-5s  %5d s  %s\n' "${names[number]}" "${forms[number]}" "${limits[number]}" "${commands[number]}"
      done
      return ;;
    --long) form=long && shift ;;
  esac
  for name in "$@"; do
    select_steps any "$name"
    [ ${#numbers[@]} != 0 ] || { echo "error: there is no step '$name'; .ci/run --list prints them" >&2; exit 2; }
  done
  mkdir "$work/logs" "$work/events"
  # The steps that build the additional suites set this variable themselves.
  unset REGISTRY_ALL_TESTS
  # Each step is a child process, so its process id is enough to end it.
  trap 'cat "$work"/*.pid 2>/dev/null | xargs -r kill 2>/dev/null; exit 130' INT TERM
  if [ $# != 0 ]; then
    for name in "$@"; do
      select_steps any "$name" && run_lane
    done
  else
    select_steps first && run_lane
    select_steps right
    run_lane &
    echo $! >"$work/right.pid"
    select_steps left && run_lane
    wait
    rm -f "$work/right.pid"
    select_steps last && run_lane
  fi
  python3 .ci/digest.py "$work" $SECONDS
}

# select_steps LANE [NAME]: sets `numbers` to the steps of a lane in this form, or to the step with
# this name in any lane, which has this form if possible.
select_steps() {
  local number
  numbers=()
  for number in "${!names[@]}"; do
    if [ $# = 2 ]; then
      [ "${names[number]}" = "$2" ] || continue
      [ ${#numbers[@]} = 0 ] || [ "${forms[number]}" = $form ] || continue
      numbers=("$number")
    elif [ "${lanes[number]}" = "$1" ] && [[ ${forms[number]} = @(both|$form) ]]; then
      numbers+=("$number")
    fi
  done
}

run_lane() {
  local number
  # If the lane dies, these lines remain, and digest.py reports the steps. Later lines replace them.
  for number in "${numbers[@]}"; do echo "${names[number]} MISSING 0 0 ${commands[number]}" >>"$work/times"; done
  for number in "${numbers[@]}"; do run_step "${names[number]}" "${limits[number]}" "${commands[number]}"; done
}

# run_step NAME LIMIT COMMAND: runs a step and prints its output when it ends, so that the output of
# the lanes does not mix.
run_step() {
  local name=$1 limit=$2 command=$3 from=$SECONDS used before log=$work/logs/$1 result=ok
  set_used && before=$used
  echo "=== $name: $command" | print_block
  mkdir -p "$work/events/$name"
  # shellcheck disable=SC2086 # The command is a list of words.
  CI_EVENTS=$work/events/$name timeout --kill-after=10 "$limit" $command >"$log" 2>&1 &
  echo $! >"$work/$name.pid"
  wait $! || result=FAILED
  rm -f "$work/$name.pid"
  # A process that ignores the first signal is killed by the second one.
  [ $((SECONDS - from)) -lt "$limit" ] || echo "error: timed out after $limit s" >>"$log"
  set_used
  echo "$name $result $((SECONDS - from)) $((used - before)) $command" >>"$work/times"
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
