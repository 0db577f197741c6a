# The functions that build the loader, the library, and the tests. The script run sources this file,
# after common.sh; $work is its folder.

# The modules of C code. The stand-in for Foundation exports the types of CTime.
write_module_maps() {
  mkdir -p "$work/maps"
  cat >"$work/maps/module.modulemap" <<END
module RegistryC { umbrella "$root/Sources/RegistryC/include" export * }
module TestRecords { umbrella "$root/Tests/TestRecords/include" export * }
module CTime { header "$DARWIN_HEADERS/time.h" export * }
END
}

# The loader with the bridge, and the functions in host/, which are ordinary code for Linux.
build_loader() {
  "$swiftc" -swift-version 6 -parse-as-library -Onone -wmo -module-name Host -emit-library -o "$work/libHost.so" \
    -module-cache-path "$cache/host-clang" "$swift_here/host/Host.swift" "$root/Tests/TestSupport/Command.swift" &&
    "$CLANG" -std=gnu11 -O1 -g -Wall -Wextra -Werror -iquote "$DARWIN_HEADERS" -I "$harness/dyld" \
      -I "$usr/lib/swift/shims" "$harness"/dyld/*.c "$swift_here"/{bridge,loader}.c -o "$work/loader" \
      -L "$work" -L "$runtime" -Wl,--no-as-needed -lHost -lswiftCore -lswift_Concurrency -lswiftSwiftOnoneSupport \
      -lswift_StringProcessing -lTesting -ldispatch -lBlocksRuntime -Wl,-rpath,"$runtime" -Wl,-rpath,"$work" \
      -lpthread -ldl -lm -fuse-ld=lld
}

# RegistryC without the code that queries the Objective-C runtime, which is absent here as on Linux,
# and the C and C++ files of the tests.
build_c() {
  local source flag
  mkdir -p "$work"/{c,c-tests}
  for source in "$root"/Sources/RegistryC/{,*/}*.c; do
    flag=
    [[ $source != */objc.c ]] || flag=-U__APPLE__
    # shellcheck disable=SC2086 # The variable is one word or none.
    c_compile "$source" "$work/c/$(basename "$source").o" $flag || return 1
  done
  for source in "$root"/Tests/TestRecords/*.{c,cpp}; do
    c_compile "$source" "$work/c-tests/$(basename "$source").o" || return 1
  done
}

# The library's modules are in the folder $work/LEVEL, where a level is an option of the compiler,
# and those of the tests in $work/testsLEVEL.

upcoming=(-enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility)
common=(-enable-testing -package-name swift_section_registry -I "$work/maps"
  -load-plugin-executable "$bin/RoutingMacros-tool#RegistryMacros,RoutingMacros")

# module LEVEL FOLDER NAME FILE…: compiles a module of the package as Package.swift says.
module() {
  language=("${upcoming[@]}" -enable-upcoming-feature ExistentialAny "${common[@]}" "$1")
  swift_compile "${@:2}"
}

# tests LEVEL NAME FILE…: compiles a module of tests.
tests() {
  language=("${upcoming[@]}" "${common[@]}" "$1" -I "$work/$1"
    -load-plugin-library "$usr/lib/swift/host/plugins/libTestingMacros.so")
  swift_compile "$work/tests$1" "${@:2}"
}

# Sets the array `files` to the Swift files of a folder, without those that exceptions names.
find_files() {
  local file
  files=()
  while IFS= read -r file; do
    grep -q "^file ${file#"$root/"} " "$swift_here/exceptions" || files+=("$file")
  done < <(find "$root/$1" -name '*.swift' | sort)
}

# library TARGET LEVEL FOLDER: compiles the library, and the stand-ins that Routing imports.
library() {
  local target=$1 name files
  mkdir -p "$3"
  for name in Dispatch Foundation; do module "$2" "$3" $name "$swift_here/support/$name.swift" || return 1; done
  for name in Registry Lifecycle RegistryReports RoutePatterns Routing; do
    find_files Sources/$name && module "$2" "$3" $name "${files[@]}" || return 1
  done
}

# test_modules LEVEL: compiles RegistryTesting and the modules that all suites import. TestWaits is
# never optimized, because the optimizer crashes on it for this target (in CoroSplit, Swift 6.3.1).
test_modules() {
  local folder=$work/tests$1 files
  mkdir -p "$folder"
  find_files Sources/RegistryTesting && module "$1" "$folder" RegistryTesting "${files[@]}" -I "$work/$1" &&
    find_files Tests/TestSupport &&
    module "$1" "$folder" TestSupport "${files[@]}" "$swift_here/support/Command.swift" -I "$work/$1" &&
    find_files Tests/TestWaits && tests "$1" TestWaits "${files[@]}" -Onone &&
    tests "$1" Main "$swift_here/support/Main.swift"
}

# all_suites LEVEL: compiles all suites. The first one takes as long as the others together.
all_suites() {
  local suite files
  find_files Tests/LifecycleTests
  tests "$1" LifecycleTests "${files[@]}" &
  for suite in RegistryTests RoutePatternsTests RoutingTests RegistryTestingTests; do
    find_files Tests/$suite && tests "$1" $suite "${files[@]}" || return 1
  done
  wait $!
}

# The files of the tests that concern images: records of services, modules, and handlers, and images
# that are opened and closed while the process runs, with the types that these tests share.
registry_files=("$root"/Tests/RegistryTests/{ChosenRecordTests,ExportedServiceTests,Exports,FaultTests}.swift
  "$root"/Tests/RegistryTests/{HostileRecordTests,LateImageTests,OpenCornerTests,OpenTests,ScopeSupport}.swift)
lifecycle_files=("$root"/Tests/LifecycleTests/{EventTypeTests,ExportedHandlers,ExportedModuleTests,HandlerTests}.swift
  "$root"/Tests/LifecycleTests/{HostileModuleRecordTests,Modules,PlugInCornerTests,PlugInTests,SharedNames}.swift)

# quick_suites LEVEL: compiles the tests that concern images.
quick_suites() {
  tests "$1" RegistryTests "${registry_files[@]}" && tests "$1" LifecycleTests "${lifecycle_files[@]}"
}

runtime_symbols=(-U _swift_task_isCurrentExecutorWithFlags -U _swift_task_getCurrentExecutor)

# link_tests LEVEL: links the library and the tests of a level into one image, as SwiftPM does.
link_tests() {
  link_image "$work/MachOTests.xctest" "$work"/{c,c-tests}/*.o "$work/$1"/*.o "$work/tests$1"/*.o \
    "${runtime_symbols[@]}"
}
