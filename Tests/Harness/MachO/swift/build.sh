# The functions that build the loader, the library, and the tests. The script run sources this file,
# after common.sh; $work is its folder.

# The modules of C code. The stand-in for Foundation exports the types of CTime.
write_module_maps() {
  local line name
  mkdir -p "$work/maps"
  while read -r name line; do
    printf 'module %s { %s "%s" export * }\n' "$name" ${line/ */} "${line#* }"
  done >"$work/maps/module.modulemap" <<END
RegistryC umbrella $root/Sources/RegistryC/include
TestRecords umbrella $root/Tests/TestRecords/include
CTime header $harness/headers/libc/time.h
END
}

# The loader with the bridge, and the functions in host/, which are ordinary code for Linux.
build_loader() {
  "$swiftc" -swift-version 6 -parse-as-library -Onone -wmo -module-name Host -emit-library -o "$work/libHost.so" \
    -module-cache-path "$cache/host-clang" "$swift_here/host/Host.swift" "$root/Tests/TestSupport/Command.swift" &&
    "$CLANG" -std=gnu11 -O1 -g -Wall -Wextra -Werror -I "$harness/headers/format" -I "$harness/dyld" \
      -I "$usr/lib/swift/shims" "$harness"/dyld/*.c "$harness"/dyld/*.S "$swift_here"/{bridge,loader}.c -o "$work/loader" \
      -L "$work" -L "$runtime" -Wl,--no-as-needed -lHost -lswiftCore -lswift_Concurrency -lswiftSwiftOnoneSupport \
      -lswift_StringProcessing -lTesting -ldispatch -lBlocksRuntime -Wl,-rpath,"$runtime" -Wl,-rpath,"$work" \
      -lpthread -ldl -lm -fuse-ld=lld
}

# probe NAME SOURCE: builds an image with a function of the same name.
probe() {
  language=(-Onone)
  swift_compile "$work" "$1" "$2" && link_image chained "$work/lib$1.dylib" "$work/$1.o"
}

# The library's modules are in the folder $work/<level>, where a level is an option of the compiler,
# and those of the tests in $work/tests.

features=(-enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility)
common=(-enable-testing -package-name swift_section_registry -I "$work/maps"
  -load-plugin-executable "$PLUGIN#RegistryMacros")

# module LEVEL FOLDER NAME FILE…: compiles a module of the package as Package.swift says.
module() {
  language=("${features[@]}" -enable-upcoming-feature ExistentialAny "${common[@]}" "$1")
  swift_compile "${@:2}"
}

# unoptimized: prints the modules of tests on which the optimizer crashes.
unoptimized() { sed -nE 's/^unoptimized (\S+) .*/\1/p' "$swift_here/exceptions"; }

# tests LEVEL NAME FILE…: compiles a module of tests. If optimize_all is not set, the modules on
# which the optimizer crashes are not optimized.
tests() {
  local level=$1 name=$2
  if [[ -z ${optimize_all:-} ]] && unoptimized | grep -qx "$name"; then set -- -Onone "${@:2}"; fi
  language=("${features[@]}" "${common[@]}" "$1" -I "$work/$level"
    -load-plugin-library "$usr/lib/swift/host/plugins/libTestingMacros.so")
  swift_compile "$work/tests$level" "${@:2}"
}

# Sets the array `files` to the Swift files of a folder, without those that exceptions names.
find_files() {
  local file
  files=()
  while IFS= read -r file; do
    grep -q "^file ${file#"$root/"} " "$swift_here/exceptions" || files+=("$file")
  done < <(find "$root/$1" -name '*.swift' | sort)
}

# folder_module LEVEL FOLDER NAME: compiles the module of the library in Sources/NAME.
folder_module() { find_files "Sources/$3" && module "$@" "${files[@]}"; }

# folder_tests LEVEL NAME: compiles the module of tests in Tests/NAME.
folder_tests() { find_files "Tests/$2" && tests "$@" "${files[@]}"; }

# RegistryC without the code that queries the Objective-C runtime, which is absent here as on Linux,
# and the C and C++ files of the tests.
build_c() {
  local source flag
  mkdir -p "$work"/{c,c-tests}
  for source in "$root"/Sources/RegistryC/*.c; do
    flag=
    [[ $source != */objc.c ]] || flag=-U__APPLE__
    # shellcheck disable=SC2086 # The variable is one word or none.
    c_compile "$source" "$work/c/$(basename "$source").o" $flag || return 1
  done
  for source in "$root"/Tests/TestRecords/*.{c,cpp}; do
    c_compile "$source" "$work/c-tests/$(basename "$source").o" || return 1
  done
}

# library TARGET LEVEL FOLDER: compiles the library, and the stand-ins that Routing imports.
library() {
  local target=$1 name
  set -- "$2" "$3"
  mkdir -p "$2"
  module "$@" Dispatch "$swift_here/support/Dispatch.swift" &&
    module "$@" Foundation "$swift_here/support/Foundation.swift" || return 1
  for name in Registry Lifecycle RoutePatterns Routing; do folder_module "$@" $name || return 1; done
}

suites_of_tests=(LifecycleTests RegistryTests RoutePatternsTests RoutingTests RegistryTestingTests)

# build_tests LEVEL: compiles the tests and RegistryTesting with the library of a level.
build_tests() {
  local level=$1 folder=$work/tests$1 suite
  mkdir -p "$folder"
  find_files Sources/RegistryTesting &&
    module "$level" "$folder" RegistryTesting "${files[@]}" -I "$work/$level" && find_files Tests/TestSupport &&
    module "$level" "$folder" TestSupport "${files[@]}" "$swift_here/support/Command.swift" -I "$work/$level" &&
    folder_tests "$level" TestWaits && tests "$level" Main "$swift_here/support/Main.swift" || return 1
  # The first suite takes as long as the others together.
  (folder_tests "$level" "${suites_of_tests[0]}") &
  for suite in "${suites_of_tests[@]:1}"; do folder_tests "$level" "$suite" || return 1; done
  wait $!
}

# Checks that the optimizer still crashes on these modules.
still_crash() {
  local name
  for name in $(unoptimized); do
    optimize_all=yes folder_tests -O "$name" || continue
    echo "$name no longer crashes the optimizer"
    return 1
  done
}

runtime_symbols=(-U _swift_task_isCurrentExecutorWithFlags -U _swift_task_getCurrentExecutor)

# link_tests FORMAT LEVEL: links the library and the tests of a level into one image, as SwiftPM
# does.
link_tests() {
  link_image "$1" "$work/MachOTests.xctest" "$work"/{c,c-tests}/*.o "$work/$2"/*.o "$work/tests$2"/*.o \
    "${runtime_symbols[@]}"
}
