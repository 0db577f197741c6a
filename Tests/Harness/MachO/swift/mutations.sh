# Changes of the macros' expansions and of the library's code for Apple systems. With each of them,
# the shop must not compile or must print something else. The script run sources this file after
# shop.sh, and has built the shop.

# The functions that try a mutant return 0 if the shop prints the same, 1 if it prints something
# else, 3 if it does not end, 4 if it does not compile, and 2 if it could not be built.

# compile_mutant PLUGIN: compiles the features with records of every section with another plugin.
compile_mutant() {
  local feature
  language=("${common[@]/"$PLUGIN"/"$1"}" -O -I "$work/$optimized" -I "$work/shop")
  for feature in Cart Loyalty Account; do
    swift_compile "$work/mutant" $feature "$shop/Sources/$feature"/*.swift || return 4
  done
}

# write_proxy FILE PATTERN REPLACEMENT: writes a plugin that changes the answers of the real one.
write_proxy() {
  local python
  # The compiler starts plugins without an environment and without arguments.
  python=$("$PYTHON" -c 'import sys; print(sys.executable)')
  printf '#!/bin/sh\nexec %q -B %q %q %q %q\n' "$python" "$harness/format/embedded/plugin_proxy.py" "$PLUGIN" \
    "${@:2}" >"$1"
  chmod +x "$1"
}

# same_with_plugin PATTERN REPLACEMENT: tries a plugin whose answers are changed.
same_with_plugin() {
  write_proxy "$work/proxy" "$1" "$2"
  rm -rf "$work/mutant"
  cp -r "$work/shop" "$work/mutant"
  compile_mutant "$work/proxy" || return
  shop_folder=$work/mutant link_shop chained $optimized || return 2
  same_as_elf mutant
}

# same_with_c FILE PATTERN REPLACEMENT: tries a changed C file of the library.
same_with_c() {
  local name
  name=$(basename "$1")
  rm -rf "$work"/{mutant,mutant-c}
  cp -r "$work/shop" "$work/mutant"
  mkdir "$work/mutant-c"
  cp "$work"/c/*.o "$work/mutant-c"
  "$PYTHON" -B - "$root/$1" "$work/mutant-c/$name" "$2" "$3" <<'PYTHON' || return 2
import re, sys
source, copy, pattern, replacement = sys.argv[1:]
text = open(source, encoding="utf-8").read()
changed, count = re.subn(pattern, replacement, text, flags=re.M)
if count != 1 or changed == text:
    sys.exit(f"the pattern matches {count} times in {source}")
open(copy, "w", encoding="utf-8").write(changed)
PYTHON
  c_compile "$work/mutant-c/$name" "$work/mutant-c/$name.o" -I "$root/Sources/RegistryC" || return 4
  c_folder=$work/mutant-c shop_folder=$work/mutant link_shop chained $optimized || return 2
  same_as_elf mutant
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

# detects WHAT SHOWS COMMAND…: the shop must print something else.
detects() { outcome 1 "$@"; }

# rejects WHAT SHOWS COMMAND…: the compiler must report an error.
rejects() { outcome 4 "$@"; }

run_mutations() {
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
  local c=Sources/RegistryC
  step "an unchanged library passes" same_with_c $c/images_macho.c '\A' '\n'
  detects "a reader of another section for modules is detected" "^<   Cart\.CartModule" \
    same_with_c $c/images_macho.c '"__reg_modules"' '"__reg"'
  detects "a reader of another section for handlers is detected" "^<   loyalty: welcome, Ada" \
    same_with_c $c/images_macho.c '"__reg_exports"' '"__reg"'
  detects "a reader without the callback for images is detected" "^<   Cart\.CartModule" \
    same_with_c $c/images_macho.c '^  _dyld_register_func_for_add_image\(image_added\);' ''
  DISPATCH_MAIN=yes detects "the main actor only on the main thread is detected" \
    "^> .*is isolated to .MainActor" same_with_c $c/executor.c \
    'if \(is_main && \(on_main_thread\(\) \|\| on_main_queue\(\)\)\) return true' 'return is_main && on_main_thread()'
  detects "the main actor nowhere is detected" "^> .*is isolated to .MainActor" \
    same_with_c $c/executor.c \
    'if \(is_main && \(on_main_thread\(\) \|\| on_main_queue\(\)\)\) return true' 'return false'
}
