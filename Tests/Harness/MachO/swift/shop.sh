# The functions that build the example as Mach-O, one image for each feature, run it, and compare
# its report with registry-tool. The script run sources this file after build.sh.

shop=$root/Examples/Shop
features=(Account Cart Catalog Checkout Loyalty Terminal Warehouse)

# build_shop LEVEL LIBRARY: compiles the shop at one level, with the modules of the library at
# another. The app's host is replaced, because it needs all of Foundation.
build_shop() {
  local feature out=$work/shop
  mkdir -p "$out"
  language=("${common[@]}" "$1" -I "$work/$2")
  swift_compile "$out" ShopAPI "$shop"/ShopAPI/Sources/*.swift &&
    swift_compile "$out" Legacy "$shop"/Sources/Legacy/*.swift || return 1
  for feature in "${features[@]}" Promotion; do
    swift_compile "$out" "$feature" "$shop/Sources/$feature"/*.swift || return 1
  done
  swift_compile "$out" App "$swift_here/shop/Visit.swift" "$shop"/Sources/Shop/{PlugInVisit,Purchase,Screens}.swift &&
    c_compile "$shop/Sources/LegacyRecords/records.c" "$out/legacy_records.o" &&
    c_compile "$swift_here/shop/stub.c" "$out/stub.o"
}

# link_shop LIBRARY: links the shop's images with the library of a level. The app is a stub and
# Shop.debug.dylib, as in a debug build of Xcode. No image links Promotion, which is a plug-in.
link_shop() {
  local out=$work/shop feature images=()
  link() { link_image "$out/$1" -install_name "@rpath/$1" -dead_strip "${@:2}"; }
  local api=("$out"/lib{ShopAPI,RegistryDynamic}.dylib)
  link libRegistryDynamic.dylib "${runtime_symbols[@]}" "$work"/c/*.o "$work/$1"/*.o &&
    link libShopAPI.dylib "$out/ShopAPI.o" "${api[1]}" &&
    link libLegacy.dylib "$out"/{Legacy,legacy_records}.o "${api[@]}" || return 1
  for feature in "${features[@]}" Promotion; do
    link "lib$feature.dylib" "$out/$feature.o" "${api[@]}" || return 1
    [[ $feature = Promotion ]] || images+=("$out/lib$feature.dylib")
  done
  link Shop.debug.dylib "$out/App.o" "$out/libLegacy.dylib" "${images[@]}" "${api[@]}" &&
    link_program "$out/Shop" "$out/stub.o" "$out/Shop.debug.dylib"
}

# run_shop OUTPUT FUNCTION IMAGE: runs a function of the shop. If the process fails, the last line of
# the output is its status. Returns 1 if it does not end.
run_shop() {
  local status=0
  SHOP_PLUG_IN=$(dirname "$3")/libPromotion.dylib SWIFT_BACKTRACE=enable=no \
    timeout 600 "$work/loader" "$2" "$3" >"$1" 2>&1 || status=$?
  [[ $status != 124 ]] || { echo "the shop did not end"; return 1; }
  [[ $status = 0 ]] || echo "the process ended with status $status" >>"$1"
}

# Runs the shop, whose output must contain the lines that show that it works.
visit_shop() {
  local line missing=0
  run_shop "$work/shop.out" main "$work/shop/Shop" || return
  while IFS= read -r line; do
    grep -qxF -- "$line" "$work/shop.out" || { echo "the shop does not print '$line'"; missing=1; }
  done <"$swift_here/shop/visit.expected"
  ! grep '^the process ended with status' "$work/shop.out" || missing=1
  return $missing
}

# The records in the files, and the order of the modules, must be those that the process reports.
# The app's code is in Shop.debug.dylib, and its product is Shop.
tool_agrees() {
  local files=("$work"/shop/{*.dylib,Shop})
  run_shop "$work/report" report_shop "$work/shop/Shop.debug.dylib" || return
  "$bin/registry-tool" list --format json "${files[@]}" >"$work/list" &&
    "$bin/registry-tool" graph --format dot "${files[@]}" >"$work/graph" || return
  "$PYTHON" -B - "$work/report" "$work/list" "$work/graph" <<'PYTHON'
import json, os, re, sys
report, records, graph = (open(path, encoding="utf-8").read() for path in sys.argv[1:])

def key(record):
    return [record["kind"], os.path.basename(record["path"]), record["attributes"]]

def difference(what, first, second):
    for each in first:
        if each not in second:
            print(what, each)
    return first != second

reported = [json.loads(line) for line in re.findall("^record (.*)", report, re.M)]
files = sorted(map(json.dumps, map(key, json.loads(records)["records"])))
process = sorted(map(json.dumps, map(key, reported)))
modules = re.search("^Modules, in setup order:\n((?:  .*\n)+)", report, re.M)[1]
order = re.findall(r"^  \d+\. '([^']*)'", modules, re.M)
drawn = re.findall(r'label="(\d+)\. ([^"\\]+)', graph)
drawn = [name for _, name in sorted(drawn, key=lambda pair: int(pair[0]))]
products = {os.path.basename(record["path"]): record["product"] for record in reported}
sys.exit(
    difference("only in the files:", files, process) or difference("only in the process:", process, files)
    or difference("not at this place in the graph:", order, drawn) or not order
    or products["Shop.debug.dylib"] != "Shop" or products["libCart.dylib"] != "libCart.dylib")
PYTHON
}
