#!/usr/bin/env bash
# What 10 and 10,000 records cost when their image is opened, and when somebody first looks. Fails when more records cost more
# before anybody looks.
#
#   first_use.sh PROGRAM SCRATCH
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
program=$1 scratch=$2
clang -O2 -fPIC -shared Images/counter.c -o "$scratch/counter.so"

instructions() {
  valgrind --tool=callgrind --callgrind-out-file="$scratch/out" --toggle-collect="$1" --collect-atstart=no \
    "$program" --child open "${@:2}" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
  PYTHONPATH=Counting python3 -c 'from callgrind import costs; import sys; print(costs(sys.argv[1])[1])' "$scratch/out"
}

# row COUNT: instructions and allocations of opening, and of the first look.
row() {
  # Paths of one length: the loader compares and copies them.
  local image=$scratch/$1/records.so
  mkdir -p "$scratch/$1"
  python3 Counting/records.py "$1" >"$scratch/records.s"
  clang -shared -nostdlib "$scratch/records.s" -o "$image"
  local opened looked allocations
  opened=$(instructions '*openImage*' "$image")
  looked=$(instructions '*4CallsO4look*' "$image" look)
  allocations=$(LD_PRELOAD="$scratch/counter.so" "$program" --child open "$image" look)
  echo "$((10#$1)) $opened $looked $allocations"
}

few=$(row 00010)
many=$(row 10000)
printf '%-12s %14s %14s %14s %14s\n' records "opening, ins." "look, ins." "opening, all." "look, all."
# Without quotes: fields.
for line in "$few" "$many"; do
  set -- $line
  printf '%-12s %14s %14s %14s %14s\n' "$1" "$2" "$3" "$4" "$5"
done
python3 - $few $many <<'PYTHON'
import sys

few, many = [list(map(int, half)) for half in (sys.argv[1:6], sys.argv[6:11])]
if few[1] != many[1] or few[3] != many[3]:
    sys.exit("error: what is done before anybody looks depends on how many records there are")
if many[2] < 100 * few[2] or many[4] <= few[4]:
    sys.exit("error: the first look does not show in these numbers, so they show nothing")
PYTHON
