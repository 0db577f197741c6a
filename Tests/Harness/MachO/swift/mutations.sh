# Changes of the macros' expansions and of the library's code for Apple systems. With each of them,
# the shop must not compile or must print something else. The script run sources this file after
# shop.sh, and has built the shop.

# compile_mutant PLUGIN: compiles the features with records of every section with another plugin.
compile_mutant() {
  local feature
  language=("${common[@]/"$PLUGIN"/"$1"}" -O -I "$work/-O" -I "$work/shop")
  for feature in Cart Loyalty Account; do
    swift_compile "$work/mutant" $feature "$shop/Sources/$feature"/*.swift || return 1
  done
}

# same_with_plugin PATTERN REPLACEMENT: returns 0 if the shop prints the same although the plugin's
# answers are changed, 1 if not or if it does not compile.
same_with_plugin() {
  local python
  # The compiler starts plugins without an environment and without arguments.
  python=$("$PYTHON" -c 'import sys; print(sys.executable)')
  printf '#!/bin/sh\nexec %q -B %q %q %q %q\n' "$python" "$harness/format/embedded/plugin_proxy.py" "$PLUGIN" "$1" "$2" \
    >"$work/proxy"
  chmod +x "$work/proxy"
  rm -rf "$work/mutant"
  cp -r "$work/shop" "$work/mutant"
  compile_mutant "$work/proxy" || return 1
  shop_folder=$work/mutant link_shop chained -O || return 2
  same_as_elf mutant
}

# same_with_c FILE PATTERN REPLACEMENT: does the same with a changed C file of the library.
same_with_c() {
  local name status
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
  c_compile "$work/mutant-c/$name" "$work/mutant-c/$name.o" -I "$root/Sources/RegistryC" || return 2
  c_folder=$work/mutant-c shop_folder=$work/mutant link_shop chained -O || return 2
  same_as_elf mutant
}

# detects WHAT COMMAND…: the command must return 1.
detects() {
  "${@:2}" >"$work/log" 2>&1
  local status=$?
  if [[ $status = 1 ]]; then
    echo "ok      $1"
  else
    sed -n '1,10s/^/        /p' "$work/log"
    echo "FAILED  $1: status $status instead of 1"
    failed=1
  fi
}

run_mutations() {
  step "an unchanged plugin and an unchanged library pass" same_with_plugin 'a word that does not occur' ''
  detects "another section for services is detected" same_with_plugin '__reg_services' '__reg_service'
  detects "another section for modules is detected" same_with_plugin '__reg_modules' '__reg_module'
  detects "another section for handlers is detected" same_with_plugin '__reg_exports' '__reg_export'
  detects "another segment is detected" same_with_plugin '__DATA,' '__DATA_CONST,'
  detects "records only for ELF are detected" same_with_plugin 'objectFormat\(MachO\)' 'os(Windows)'
  detects "an accessor with another result is detected" same_with_plugin 'Swift::UInt\) -> Swift::Bool' \
    'Swift::UInt) -> Swift::Int'
  detects "an accessor with swapped parameters is detected" same_with_plugin '__out, __type, _ in' '__type, __out, _ in'
  local c=Sources/RegistryC
  detects "a reader of another section for modules is detected" same_with_c $c/images_macho.c '"__reg_modules"' '"__reg"'
  detects "a reader of another section for handlers is detected" same_with_c $c/images_macho.c '"__reg_exports"' '"__reg"'
  detects "a reader without the callback for images is detected" same_with_c $c/images_macho.c \
    '^  _dyld_register_func_for_add_image\(image_added\);' ''
  DISPATCH_MAIN=yes detects "the main actor only on the main thread is detected" same_with_c $c/executor.c \
    'if \(is_main && \(on_main_thread\(\) \|\| on_main_queue\(\)\)\) return true' 'return is_main && on_main_thread()'
  detects "the main actor nowhere is detected" same_with_c $c/executor.c \
    'if \(is_main && \(on_main_thread\(\) \|\| on_main_queue\(\)\)\) return true' 'return false'
}
