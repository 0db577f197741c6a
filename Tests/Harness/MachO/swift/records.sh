# The functions that compile the clients of the record format by full Swift, for both processors,
# and compare their records with lists. The script run sources this file after build.sh.

# Sets $code and $list to the files of a client: Kinds uses the macros of every kind, and Shop has
# modules and services with every amount of padding.
client() {
  case $1 in
  Kinds) code=$swift_here/records/Kinds.swift list=$swift_here/records/Kinds.records ;;
  Shop) code=$harness/format/clients/Exports.swift list=$harness/format/clients/Exports.records ;;
  esac
}

# records TARGET LIBRARY CLIENT LEVEL [PLUGIN]: compiles a client with the library's modules in the
# folder $work/LIBRARY, and compares its object. Returns 1 if the records differ.
records() {
  local folder=$work/records-$1 code list
  client "$3"
  mkdir -p "$folder"
  language=("${common[@]/"$PLUGIN"/"${5:-$PLUGIN}"}" "$4" -suppress-warnings -I "$work/$2")
  (target=$1 && swift_compile "$folder" "$3" "$code") || return 4
  OBJDUMP=$OBJDUMP "$PYTHON" -B "$harness/format/compare.py" macho "$folder/$3.o" "$list"
}

# linked_records TARGET FORMAT CLIENT: links the object that was compiled last, without code that
# nothing uses, and compares the image.
linked_records() {
  local image=$work/records-$1/lib$3.dylib version code list
  client "$3"
  version=$(version_of "$2")
  "$LD64" -arch "${1%%-*}" -platform_version macos "$version" "$version" -dylib -dead_strip \
    -undefined dynamic_lookup -o "$image" "$work/records-$1/$3.o" &&
    OBJDUMP=$OBJDUMP "$PYTHON" -B "$harness/format/compare.py" macho "$image" "$list"
}
