#!/usr/bin/env bash
# Measures the cost of 10 and of 10,000 records when their image is opened, and when the first
# lookup scans them. The script fails if more records cost more before the first scan.
#
#   first_use.sh PROGRAM SCRATCH
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
program=$1 scratch=$2
clang -O2 -fPIC -shared Images/counter.c -o "$scratch/counter.so"

# instructions FUNCTION ARGUMENTS…: prints the instructions of a function and its callees, in the
# loader and in all other images.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file="$scratch/out" --toggle-collect="$1" --collect-atstart=no \
    "$program" --child open "${@:2}" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
  PYTHONPATH=Counting python3 - "$scratch/out" <<'PYTHON'
import sys

from callgrind import costs

path = sys.argv[1]
print(costs(path, lambda image: "/ld-" in image)[1], costs(path, lambda image: "/ld-" not in image)[1])
PYTHON
}

# row COUNT: prints the instructions of opening an image and of the first scan, each in the loader
# and elsewhere, and the allocations of both.
row() {
  # The paths have one length, because the loader compares and copies them.
  local image=$scratch/$1/records.so
  mkdir -p "$scratch/$1"
  python3 Counting/records.py "$1" >"$scratch/records.s"
  clang -shared -nostdlib "$scratch/records.s" -o "$image"
  local opened scanned allocations
  opened=$(instructions '*openImage*' "$image")
  scanned=$(instructions '*5CallsO4look*' "$image" look)
  allocations=$(LD_PRELOAD="$scratch/counter.so" "$program" --child open "$image" look)
  echo "$((10#$1)) $opened $scanned $allocations"
}

few=$(row 00010)
many=$(row 10000)
printf '%-9s %15s %15s %15s %15s %15s\n' "" "opening:" "" "" "first scan:" ""
printf '%-9s %15s %15s %15s %15s %15s\n' records "in the loader" "elsewhere" "allocations" "instructions" "allocations"
# The expansion is not quoted, so that it is split into fields.
for line in "$few" "$many"; do
  set -- $line
  printf '%-9s %15s %15s %15s %15s %15s\n' "$1" "$2" "$3" "$6" $(($4 + $5)) "$7"
done
python3 - $few $many <<'PYTHON'
import sys

few, many = [list(map(int, half)) for half in (sys.argv[1:8], sys.argv[8:15])]
# The instructions in the loader are not compared, because the loader searches the notes for one of
# its own.
if few[2] != many[2] or few[5] != many[5]:
    sys.exit("error: the cost before the first scan depends on the number of records")
if sum(many[3:5]) - sum(few[3:5]) < 100 * (many[0] - few[0]) or many[6] <= few[6]:
    sys.exit("error: the first scan adds too few instructions or allocations, so the counts prove nothing")
PYTHON
