# The functions that build the example as Mach-O and as ELF, one image for each feature, and compare
# both. The script run sources this file after build.sh.

features_of_shop=(Account Cart Catalog Checkout Loyalty Terminal Warehouse)
shop=$root/Examples/Shop

# The sources of the app. The host is replaced, because it needs all of Foundation.
app_files=("$swift_here/shop/Visit.swift" "$shop"/Sources/Shop/{PlugInVisit,Purchase,Screens}.swift)

# shop_modules COMPILE: compiles all modules with a function that is called with a name and files.
shop_modules() {
  local feature
  "$1" ShopAPI "$shop"/ShopAPI/Sources/*.swift && "$1" Legacy "$shop"/Sources/Legacy/*.swift || return 1
  for feature in "${features_of_shop[@]}" Promotion; do
    "$1" "$feature" "$shop/Sources/$feature"/*.swift || return 1
  done
  "$1" App "${app_files[@]}"
}

# shop_images LINK SUFFIX: links all images with a function that is called with a file and words. No
# image links Promotion, which is a plug-in.
shop_images() {
  local feature dynamic=$out/libRegistryDynamic.$2 images=()
  "$1" "$out/libShopAPI.$2" "$out/ShopAPI.o" "$dynamic" &&
    "$1" "$out/libLegacy.$2" "$out"/{Legacy,legacy_records}.o "$out/libShopAPI.$2" "$dynamic" || return 1
  for feature in "${features_of_shop[@]}"; do
    images+=("$out/lib$feature.$2")
    "$1" "${images[-1]}" "$out/$feature.o" "$out/libShopAPI.$2" "$dynamic" || return 1
  done
  "$1" "$out/libPromotion.$2" "$out/Promotion.o" "$out/libShopAPI.$2" "$dynamic" &&
    "$1" "$out/Shop.debug.$2" "$out/App.o" "$out"/lib{ShopAPI,Legacy}.$2 "${images[@]}" "$dynamic"
}

# build_shop LEVEL LIBRARY: builds the shop as Mach-O, at one level, with the modules of the library
# at another.
build_shop() {
  local level=$1 library=$2
  out=$work/shop
  mkdir -p "$out"
  client() { language=("${common[@]}" "$level" -I "$work/$library") && swift_compile "$out" "$@"; }
  shop_modules client && c_compile "$shop/Sources/LegacyRecords/records.c" "$out/legacy_records.o" &&
    c_compile "$swift_here/shop/stub.c" "$out/stub.o"
}

# link_shop FORMAT LIBRARY: links the shop's images with the library of a level. The app consists of
# a stub and a library. Mutations set shop_folder and c_folder, the folders of the objects.
link_shop() {
  local format=$1
  out=${shop_folder:-$work/shop}
  link() { link_image "$format" "$1" -install_name "@rpath/$(basename "$1")" -dead_strip "${@:2}"; }
  link "$out/libRegistryDynamic.dylib" "${runtime_symbols[@]}" "${c_folder:-$work/c}"/*.o "$work/$2"/*.o &&
    shop_images link dylib && link_program "$format" "$out/Shop" "$out/stub.o" "$out/Shop.debug.dylib"
}

# build_elf_shop BIN: builds the shop for this system, with the product RegistryDynamic of SwiftPM's
# folder for programs.
build_elf_shop() {
  local bin=$1
  out=$work/elf
  mkdir -p "$out"
  ln -sf "$bin/libRegistryDynamic.so" "$out/libRegistryDynamic.so"
  client() {
    "$swiftc" -swift-version 6 -parse-as-library -wmo -no-emit-module-separately-wmo -Onone -module-name "$1" \
      -I "$bin/Modules" -I "$out" -Xcc -fmodule-map-file="$bin/RegistryC.build/module.modulemap" \
      -load-plugin-executable "$PLUGIN#RegistryMacros" \
      -emit-module -emit-module-path "$out/$1.swiftmodule" -c -o "$out/$1.o" "${@:2}"
  }
  link() { "$swiftc" -emit-library -o "$1" "${@:2}" -Xlinker -rpath -Xlinker "$out" -Xlinker -soname="$(basename "$1")"; }
  shop_modules client &&
    "$CLANG" -fPIC -c -I "$root/Sources/RegistryC/include" "$shop/Sources/LegacyRecords/records.c" \
      -o "$out/legacy_records.o" && shop_images link so
}

# run_shop FILE FUNCTION IMAGE: runs a function of the shop, and writes its output. If the process
# fails, the last line of the output is its status. Returns 3 if it does not end.
run_shop() {
  local suffix=dylib status=0
  [[ $3 != *.so ]] || suffix=so
  SHOP_PLUG_IN=$(dirname "$3")/libPromotion.$suffix SWIFT_BACKTRACE=enable=no \
    timeout 120 "$work/loader" "$2" "$3" >"$1" 2>&1 || status=$?
  [[ $status != 124 ]] || { echo "the shop did not end"; return 3; }
  [[ $status = 0 ]] || echo "the process ended with status $status" >>"$1"
}

# visit FILE FUNCTION IMAGE: does the same, without the suffixes of images in the output. The
# records of an image are sorted, because it has several sections as Mach-O and one as ELF.
visit() {
  run_shop "$@" && "$PYTHON" - "$1" <<'PYTHON'
import re, sys
with open(sys.argv[1], encoding="utf-8") as file:
    text = re.sub(r"\.(dylib|so)\b", "", file.read())
records = r"(?:^  (?:serv|modu|evnt|rout|actn|need) \{.*\n)+"
text = re.sub(records, lambda lines: "".join(sorted(lines[0].splitlines(True))), text, flags=re.M)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(text)
PYTHON
}

# Runs the shop as ELF. An error that both formats share would be no difference, so the output must
# contain the lines that show that the shop works.
visit_elf_shop() {
  local line missing=0
  visit "$work/shop.elf" visit_shop "$work/elf/Shop.debug.so" || return
  while IFS= read -r line; do
    grep -qxF -- "$line" "$work/shop.elf" || { echo "the shop does not print '$line'"; missing=1; }
  done <"$swift_here/shop/visit.expected"
  ! grep '^the process ended with status' "$work/shop.elf" || missing=1
  return $missing
}

# same_as_elf [FOLDER]: compares the output of a visit with that on ELF. Returns 1 if it differs.
same_as_elf() {
  local folder=${1:-shop}
  visit "$work/$folder.macho" main "$work/$folder/Shop" && diff "$work/shop.elf" "$work/$folder.macho"
}

# MARK: registry-tool

# reports FOLDER: writes the report of a shop's process.
reports() {
  run_shop "$work/$1.report" report_shop "$work/$1/Shop.debug.dylib" &&
    ! grep '^the process ended with status' "$work/$1.report"
}

# The app's code is in Shop.debug.dylib, and its product is Shop.
names_product() {
  sed -nE 's/^record\t[^\t]*\t[^\t]*\t.*\/([^\t/]*)\t([^\t]*)\t.*/\1 \2/p' "$work/shop.report" |
    sort -u >"$work/products"
  grep -x 'Shop.debug.dylib Shop' "$work/products" && ! grep -v '^Shop.debug' "$work/products" | grep -vE '^(\S+) \1$'
}

# tool_agrees COMMAND FOLDER [FILES]: compares the output of registry-tool for the files in the
# folder FILES, or else in FOLDER, with the report of the process of FOLDER. Returns 1 if they
# differ.
tool_agrees() {
  local files=$work/${3:-$2} output=$work/tool.$1 format=json
  [[ $1 != graph ]] || format=dot
  "$bin/registry-tool" "$1" --format $format "$files"/*.dylib "$files/Shop" >"$output"
  [[ $? -lt 2 ]] || return 2
  "$PYTHON" -B "$swift_here/shop/agree.py" "$1" "$output" "$work/$2.report"
}

# link_without_catalog FORMAT: links a shop in which modules name one that no image contains.
link_without_catalog() {
  rm -rf "$work/incomplete"
  mkdir "$work/incomplete"
  cp "$work"/shop/*.o "$work/incomplete"
  local features_of_shop=(Account Cart Checkout Loyalty Terminal Warehouse)
  shop_folder=$work/incomplete link_shop "$1" $optimized
}
