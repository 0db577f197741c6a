# The functions that compile the clients of the record format by full Swift, for both processors, and
# compare their records with lists. The script run sources this file after build.sh.

formats=$harness/format

# records TARGET FOLDER MODULE SOURCE LIST LEVEL: compiles a client with the modules in a folder, and
# compares its object.
records() {
  local target=$1 folder=$2 module=$3 source=$4 list=$5
  language=("${common[@]}" "$6" -suppress-warnings)
  swift_compile "$folder" "$module" "$source" || return 2
  OBJDUMP=$OBJDUMP "$PYTHON" -B "$formats/compare.py" macho "$folder/$module.o" "$list"
}

# linked_records FORMAT FOLDER MODULE LIST: links a client's object, without code that nothing uses.
linked_records() {
  link_image "$1" "$2/lib$3.dylib" -dead_strip -undefined dynamic_lookup "$2/$3.o" &&
    OBJDUMP=$OBJDUMP "$PYTHON" -B "$formats/compare.py" macho "$2/lib$3.dylib" "$4"
}

kinds=("$swift_here/records/Kinds.swift" "$swift_here/records/Kinds.records")
exports=("$formats/clients/Exports.swift" "$formats/clients/Exports.records")
