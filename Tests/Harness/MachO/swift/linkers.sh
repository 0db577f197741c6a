# The functions that link the features of ../../OtherFormats/feature.c and feature.swift with each
# option of the linker, and print which of them a program finds. The script run sources this file
# after build.sh.

# The rows of the table. The words in capitals stand for files.
link_options=("" -dead_strip -ObjC -all_load "-force_load ARCHIVE" "-dead_strip -force_load ARCHIVE"
  "-exported_symbols_list SYMBOLS" "-order_file ORDER" "-S -x")

# build_features LEVEL: compiles both features for each place, and the library that all images
# share. No code refers to the archive's member unused.
build_features() {
  local place suffix out=$work/features defines
  need AR "the Swift toolchain or Debian's package llvm" "$beside/llvm-ar" llvm-ar-19
  mkdir -p "$out"
  printf '%s\n' '_mai*' '_library_f*' >"$out/symbols"
  printf '%s\n' _unused_function _program_function _main >"$out/order"
  link_image "$out/libRegistryDynamic.dylib" -install_name @rpath/libRegistryDynamic.dylib \
    "${runtime_symbols[@]}" "$work"/c/*.o "$work/$1"/*.o || return
  for place in archive library plugin program unused; do
    defines=()
    [[ $place != program ]] || defines=(-DPROGRAM -DSHARED)
    for suffix in swift c; do
      sed "s/PLACE/$place/g" "$root/Tests/Harness/OtherFormats/feature.$suffix" >"$out/$place.$suffix"
    done
    language=("${common[@]}" "$1" -I "$work/$1")
    swift_compile "$out" $place "$out/$place.swift" "${defines[@]}" || return
    c_compile "$out/$place.c" "$out/$place-c.o" "${defines[@]}" || return
  done
  "$AR" rcs "$out/libswift.a" "$out"/{archive,unused}.o && "$AR" rcs "$out/libc.a" "$out"/{archive,unused}-c.o
}

# linked LANGUAGE FLAG…: links a program, a library, and a bundle with flags, and prints what the
# program finds. Only the program links the archive.
linked() {
  local out=$work/features suffix=-c archive=c api options=${*:2} flags shared place missing=
  [[ $1 = C ]] || suffix='' archive=swift
  archive=$out/lib$archive.a api=$out/libRegistryDynamic.dylib
  options=${options/SYMBOLS/$out/symbols}
  options=${options/ORDER/$out/order}
  read -ra shared <<<"-w ${options/-force_load ARCHIVE/}"
  read -ra flags <<<"-w ${options/ARCHIVE/$archive}"
  link_image "$out/liblibrary.dylib" -install_name @rpath/liblibrary.dylib "${shared[@]}" \
    "$out/library$suffix.o" "$api" &&
    link_program "$out/plugin.bundle" -bundle "${shared[@]}" "$out/plugin$suffix.o" "$api" &&
    link_program "$out/program" "${flags[@]}" "$out/program$suffix.o" "$archive" \
      "$out/liblibrary.dylib" "$api" &&
    "$work/loader" main "$out/program" "$out/plugin.bundle" >"$out/found" || { echo fails; return; }
  for place in archive library plugin program unused; do
    grep -q "\"module\":\"$place" "$out/found" && { [[ $1 = C ]] || grep -qx "service $place" "$out/found"; } ||
      missing+="${missing:+, }$place"
  done
  [[ -z $missing ]] && echo all || echo "all but $missing"
}

# link_table LEVEL: prints the table.
link_table() {
  local row
  build_features "$1" || return
  echo "| Option of \`ld64.lld\` | C | Swift |"
  echo "|-|-|-|"
  for row in "${link_options[@]}"; do
    echo "| ${row:+\`}${row:-none}${row:+\`} | $(linked C "$row") | $(linked Swift "$row") |"
  done
}

# compare_link_table LEVEL [--write]: compares the table with the page.
compare_link_table() {
  link_table "$1" >"$work/table" &&
    "$PYTHON" -B "$root/Tests/Harness/OtherFormats/linkers.py" --table "$work/table" "${@:2}"
}
