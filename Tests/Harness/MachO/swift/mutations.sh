# Changes of the macros' expansions and of the library's code for Apple systems. With each of them,
# the shop must not compile or must print something else, and the client of every kind of record must
# have other records. The script run sources this file after shop.sh and records.sh, and has built
# both.

# The functions that try a mutant return 0 if the shop prints the same, 1 if it prints something
# else, 3 if it does not end, 4 if it does not compile, and 2 if it could not be built.

# write_proxy PATTERN REPLACEMENT: writes a plugin that changes the answers of the real one.
write_proxy() {
  local python
  # The compiler starts plugins without an environment and without arguments.
  python=$("$PYTHON" -c 'import sys; print(sys.executable)')
  printf '#!/bin/sh\nexec %q -B %q %q %q %q\n' "$python" "$swift_here/plugin_proxy.py" "$PLUGIN" "$@" >"$work/proxy"
  chmod +x "$work/proxy"
}

# Compares the output of the mutated shop with that of the shop.
prints_the_same() {
  run_shop "$work/mutant.out" main "$work/mutant/Shop" && diff "$work/shop.out" "$work/mutant.out"
}

# same_with_plugin PATTERN REPLACEMENT: compiles the features with records of every section with a
# plugin whose answers are changed.
same_with_plugin() {
  local feature
  write_proxy "$@"
  rm -rf "$work/mutant"
  cp -r "$work/shop" "$work/mutant"
  language=("${common[@]/"$PLUGIN"/"$work/proxy"}" -O -I "$work/-O" -I "$work/shop")
  for feature in Cart Loyalty Account; do
    swift_compile "$work/mutant" $feature "$shop/Sources/$feature"/*.swift || return 4
  done
  link_shop -O "$work/mutant" || return 2
  prints_the_same
}

# same_with_c FILE PATTERN REPLACEMENT: tries a changed C file of the library.
same_with_c() {
  local name=$1.c
  rm -rf "$work"/{mutant,mutant-c}
  cp -r "$work/shop" "$work/mutant"
  cp -r "$work/c" "$work/mutant-c"
  "$PYTHON" -B - "$root/Sources/RegistryC/$name" "$work/mutant-c/$name" "$2" "$3" <<'PYTHON' || return 2
import re, sys
source, copy, pattern, replacement = sys.argv[1:]
text = open(source, encoding="utf-8").read()
changed, count = re.subn(pattern, replacement, text, flags=re.M)
if count != 1 or changed == text:
    sys.exit(f"the pattern matches {count} times in {source}")
open(copy, "w", encoding="utf-8").write(changed)
PYTHON
  c_compile "$work/mutant-c/$name" "$work/mutant-c/$name.o" -I "$root/Sources/RegistryC" || return 4
  link_shop -O "$work/mutant" "$work/mutant-c" || return 2
  prints_the_same
}

# records_with PATTERN REPLACEMENT: compares the client's records with changed answers. Returns 1 if
# they differ.
records_with() {
  write_proxy "$@"
  records $arm_target arm "$work/proxy"
}

# outcome STATUS WHAT SHOWS COMMAND…: the command must return a status, and print a line that
# matches SHOWS, so that an unrelated problem is no detection.
outcome() {
  "${@:4}" >"$work/log" 2>&1
  local status=$?
  if [[ $status = "$1" ]] && grep -qE -- "$3" "$work/log"; then
    echo "ok      $2"
  else
    sed -n '1,10s/^/        /p' "$work/log"
    echo "FAILED  $2: status $status instead of $1, or no line matches '$3'"
    failed=1
  fi
}

# detects WHAT SHOWS COMMAND…: the output or the records must differ.
detects() { outcome 1 "$@"; }

# rejects WHAT SHOWS COMMAND…: the compiler must report an error.
rejects() { outcome 4 "$@"; }

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

run_shop_mutations() {
  step "an unchanged plugin passes" same_with_plugin 'a word that does not occur' ''
  detects "another section for services is detected" "^< .*Account\.LocalAccounts" \
    same_with_plugin '__reg_services' '__reg_service'
  detects "another section for modules is detected" "^<   Cart\.CartModule" \
    same_with_plugin '__reg_modules' '__reg_module'
  detects "another section for handlers is detected" "^<   loyalty: welcome, Ada" \
    same_with_plugin '__reg_exports' '__reg_export'
  detects "another segment is detected" "^<   Cart\.CartModule" same_with_plugin '__DATA,' '__DATA_CONST,'
  detects "records only for ELF are detected" "^<   Cart\.CartModule" \
    same_with_plugin 'objectFormat\(MachO\)' 'os(Windows)'
  # The types and the closure change together, so the code compiles and the accessor is called.
  detects "an accessor with swapped parameters is detected" "^> .*accessor" same_with_plugin \
    '\(Swift::UnsafeMutableRawPointer, Swift::UnsafeRawPointer\?([\s\S]*?)__out, __type, _ in' \
    '(Swift::UnsafeRawPointer?, Swift::UnsafeMutableRawPointer\1__type, __out, _ in'
  detects "an accessor with another result is detected" "^> .*accessor" same_with_plugin \
    '-> Swift::Bool([\s\S]*? in\n)([\s\S]*)\n\}(, 0x)' \
    '-> Swift::Int\1let __made = { () -> Swift::Bool in\n\2\n}\nreturn __made() ? 256 : 0\n}\3'
  rejects "an accessor that does not have its type is rejected" "error: .*Bool.*Int" \
    same_with_plugin 'Swift::UInt\) -> Swift::Bool' 'Swift::UInt) -> Swift::Int'
  rejects "an accessor whose parameters do not have their types is rejected" "error: .*Raw" \
    same_with_plugin '__out, __type, _ in' '__type, __out, _ in'
  local on_main='if \(is_main && \(on_main_thread\(\) \|\| on_main_queue\(\)\)\) return true'
  step "an unchanged library passes" same_with_c images_macho '\A' '\n'
  detects "a reader of another section for modules is detected" "^<   Cart\.CartModule" \
    same_with_c images_macho '"__reg_modules"' '"__reg"'
  detects "a reader of another section for handlers is detected" "^<   loyalty: welcome, Ada" \
    same_with_c images_macho '"__reg_exports"' '"__reg"'
  detects "a reader without the callback for images is detected" "^<   Cart\.CartModule" \
    same_with_c images_macho '^  _dyld_register_func_for_add_image\(image_added\);' ''
  DISPATCH_MAIN=yes detects "the main actor only on the main thread is detected" \
    "^> .*is isolated to .MainActor" same_with_c executor "$on_main" 'return is_main && on_main_thread()'
  detects "the main actor nowhere is detected" "^> .*is isolated to .MainActor" \
    same_with_c executor "$on_main" 'return false'
}
