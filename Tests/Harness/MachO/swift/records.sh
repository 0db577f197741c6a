# The functions that compile a client with records of every kind by full Swift, for both processors,
# and compare its records with a list. The script run sources this file after build.sh.

kinds=$swift_here/records/Kinds

# records TARGET LIBRARY: compiles the client with the library's modules in the folder
# $work/LIBRARY, and compares its object.
records() {
  local folder=$work/records-$1
  mkdir -p "$folder"
  language=("${common[@]}" -O -suppress-warnings -I "$work/$2")
  (target=$1 && swift_compile "$folder" Kinds "$kinds.swift") || return
  "$PYTHON" -B "$harness/format/compare.py" macho "$folder/Kinds.o" "$kinds.records"
}

# linked_records TARGET: links the object that was compiled last, without code that nothing uses,
# and compares the image.
linked_records() {
  local image=$work/records-$1/libKinds.dylib
  "$LD64" -arch "${1%%-*}" -platform_version macos 13.0 13.0 -dylib -dead_strip -undefined dynamic_lookup \
    -o "$image" "$work/records-$1/Kinds.o" &&
    "$PYTHON" -B "$harness/format/compare.py" macho "$image" "$kinds.records"
}
