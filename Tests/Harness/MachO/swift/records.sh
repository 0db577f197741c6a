# The functions that compile the clients of the record format by full Swift, for both processors,
# and compare their records with lists. The script run sources this file after build.sh and
# mutations.sh.

formats=$harness/format
kinds=("$swift_here/records/Kinds.swift" "$swift_here/records/Kinds.records")
exports=("$formats/clients/Exports.swift" "$formats/clients/Exports.records")

# compare WORD…: starts the comparison.
compare() { OBJDUMP=$OBJDUMP "$PYTHON" -B "$formats/compare.py" "$@"; }

# records TARGET LIBRARY MODULE SOURCE LIST LEVEL [PLUGIN]: compiles a client with the library's
# modules in the folder $work/LIBRARY, and compares its object. Returns 1 if the records differ.
# Mutations set records_folder, the folder of the object.
records() {
  local folder=${records_folder:-$work/records-$2}
  mkdir -p "$folder"
  language=("${common[@]/"$PLUGIN"/"${7:-$PLUGIN}"}" "$6" -suppress-warnings -I "$work/$2")
  (target=$1 && swift_compile "$folder" "$3" "$4") || return 4
  compare macho "$folder/$3.o" "$5"
}

# linked_records PROCESSOR FORMAT LIBRARY MODULE LIST: links a client's object, without code that
# nothing uses.
linked_records() {
  local folder=$work/records-$3 version=13.0
  [[ $2 != dyld-info ]] || version=11.0
  "$LD64" -arch "$1" -platform_version macos $version $version -dylib -dead_strip -undefined dynamic_lookup \
    -o "$folder/lib$4.dylib" "$folder/$4.o" && compare macho "$folder/lib$4.dylib" "$5"
}

# tampered LIBRARY MODULE LIST: changes the output of the tools for a correct object.
tampered() { compare tamper "$work/records-$1/$2.o" "$3"; }

# records_with PATTERN REPLACEMENT: compiles the client of every kind with changed answers.
records_with() {
  write_proxy "$work/proxy" "$1" "$2"
  records_folder=$work/records-mutant records $arm_target arm Kinds "${kinds[@]}" -O "$work/proxy"
}

run_record_mutations() {
  local kind
  step "the records of an unchanged plugin pass" records_with 'a word that does not occur' ''
  for kind in modu serv evnt rout actn need; do
    # The kind is the word of its four characters. The change concerns one character.
    detects "another kind of $kind is detected" "record [0-9]+, $kind .*: byte 8 is" \
      records_with "$(printf '0x%x%x%x%x' "'${kind:0:1}" "'${kind:1:1}" "'${kind:2:1}" "'${kind:3:1}")" \
      "$(printf '0x%x%x%x79' "'${kind:0:1}" "'${kind:1:1}" "'${kind:2:1}")"
  done
  detects "handlers in another section are detected" "section __reg_exports is missing" \
    records_with '__reg_exports' '__reg_export'
  detects "handlers that are not marked as used are detected" "section __reg_exports is missing" \
    records_with '@used' ''
  detects "handlers without no_dead_strip are detected" "__reg_exports: the attributes are" \
    records_with ',no_dead_strip' ''
}
