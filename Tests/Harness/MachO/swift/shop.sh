# The functions that build the example as Mach-O and as ELF, one image for each feature, and compare
# both. The script run sources this file after build.sh.

features_of_shop=(Account Cart Catalog Checkout Loyalty Terminal Warehouse)
shop=$root/Examples/Shop

# The sources of the app. The host is replaced, because it needs all of Foundation.
app_files=("$swift_here/shop/Visit.swift" "$shop"/Sources/Shop/{Purchase,Screens}.swift)

# shop_modules COMPILE: compiles all modules with a function that is called with a name and files.
shop_modules() {
  local feature
  "$1" ShopAPI "$shop"/ShopAPI/Sources/*.swift && "$1" Legacy "$shop"/Sources/Legacy/*.swift || return 1
  for feature in "${features_of_shop[@]}"; do "$1" "$feature" "$shop/Sources/$feature"/*.swift || return 1; done
  "$1" App "${app_files[@]}"
}

# shop_images LINK SUFFIX: links all images with a function that is called with a file and words.
shop_images() {
  local feature dynamic=$out/libRegistryDynamic.$2 images=()
  "$1" "$out/libShopAPI.$2" "$out/ShopAPI.o" "$dynamic" &&
    "$1" "$out/libLegacy.$2" "$out"/{Legacy,legacy_records}.o "$out/libShopAPI.$2" "$dynamic" || return 1
  for feature in "${features_of_shop[@]}"; do
    images+=("$out/lib$feature.$2")
    "$1" "${images[-1]}" "$out/$feature.o" "$out/libShopAPI.$2" "$dynamic" || return 1
  done
  "$1" "$out/Shop.debug.$2" "$out/App.o" "$out"/lib{ShopAPI,Legacy}.$2 "${images[@]}" "$dynamic"
}

# build_shop LEVEL: builds the shop as Mach-O with the library of a level.
build_shop() {
  local level=$1
  out=$work/shop
  mkdir -p "$out"
  client() { language=("${common[@]}" "$level" -I "$work/$level") && swift_compile "$out" "$@"; }
  shop_modules client && c_compile "$shop/Sources/LegacyRecords/records.c" "$out/legacy_records.o" &&
    c_compile "$swift_here/shop/stub.c" "$out/stub.o"
}

# link_shop FORMAT LEVEL: links the shop's images with the library of a level. The app consists of a
# stub and a library. Mutations set shop_folder and c_folder, the folders of the objects.
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
    "$swiftc" -swift-version 6 -parse-as-library -wmo -Onone -module-name "$1" -I "$bin/Modules" -I "$out" \
      -Xcc -fmodule-map-file="$bin/RegistryC.build/module.modulemap" -load-plugin-executable "$PLUGIN#RegistryMacros" \
      -emit-module -emit-module-path "$out/$1.swiftmodule" -c -o "$out/$1.o" "${@:2}"
  }
  link() { "$swiftc" -emit-library -o "$1" "${@:2}" -Xlinker -rpath -Xlinker "$out" -Xlinker -soname="$(basename "$1")"; }
  shop_modules client &&
    "$CLANG" -fPIC -c -I "$root/Sources/RegistryC/include" "$shop/Sources/LegacyRecords/records.c" \
      -o "$out/legacy_records.o" && shop_images link so
}

# visit FILE FUNCTION IMAGE: runs a function of the shop, and writes its output without the suffixes
# of images.
visit() {
  timeout 300 "$work/loader" "$2" "$3" >"$1" 2>&1 || { tail -5 "$1"; return 1; }
  sed -i -E 's/\.(dylib|so)\b//g' "$1"
}

# same_as_elf [FOLDER]: compares the output of a visit with that on ELF.
same_as_elf() {
  local folder=${1:-shop}
  visit "$work/$folder.macho" main "$work/$folder/Shop" && diff "$work/shop.elf" "$work/$folder.macho"
}

# tool_agrees TOOL: compares the records of the files, as the tool lists them, with those of the process.
tool_agrees() {
  "$work/loader" report_shop "$work/shop/Shop.debug.dylib" >"$work/report" &&
    "$1" list --format json "$work"/shop/*.dylib "$work/shop/Shop" >"$work/list" &&
    "$PYTHON" -B "$swift_here/shop/agree.py" records "$work/list" "$work/report"
}

check_agrees() { "$1" check "$work"/shop/*.dylib "$work/shop/Shop" | grep -q 'no problems$'; }

graph_agrees() {
  "$1" graph "$work"/shop/*.dylib "$work/shop/Shop" >"$work/graph" &&
    "$PYTHON" -B "$swift_here/shop/agree.py" order "$work/graph" "$work/shop.macho"
}
