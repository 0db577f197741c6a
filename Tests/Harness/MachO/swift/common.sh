# The functions that the scripts in this folder share: they find the tools and the cache, and they
# compile and link Swift code as Mach-O. The scripts source this file and set $me to their names.

swift_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$swift_here/../../../.." && pwd)
harness=$root/Tests/Harness/MachO
source "$harness/tools.sh"
need_common_tools
need SWIFT "the Swift toolchain of Package.swift" swift
need NM "the package binutils" nm
[[ $missing = 0 ]] || exit 2
need_darwin_headers
usr=$(cd "$(dirname "$(readlink -f "$SWIFT")")/.." && pwd)
swiftc=$usr/bin/swiftc
runtime=$usr/lib/swift/linux

# Compilers for Apple systems treat addresses below 4 GB as invalid, and those for other systems
# addresses below 4,096. The runtime here is the one for Linux, so the target is no Apple system.
target=x86_64-apple-none-macho
arm_target=arm64-apple-none-macho
c_target=x86_64-apple-macos13

# write_list FILE INSTALL-NAME: writes the names on standard input as a library for the linker, with
# the underscore that Mach-O adds.
write_list() {
  {
    echo '--- !tapi-tbd'
    echo 'tbd-version: 4'
    echo 'targets: [ x86_64-macos ]'
    echo "install-name: '$2'"
    echo 'exports:'
    echo '  - targets: [ x86_64-macos ]'
    echo '    symbols:'
    sed "s/.*/      - '_&'/"
    echo '...'
  } >"$1"
}

# Prints what the compiled modules depend on: the version of the toolchain and the code that creates
# them.
version_of_modules() {
  "$swiftc" --version 2>&1
  cat "$swift_here/modules"
  declare -f write_list
}

# The modules of a toolchain take half a minute and never change, so they are kept by their version.
# Scripts that run in large numbers receive the version instead of asking for it.
swift_key=${MACHO_KEY:-$(version_of_modules | sha256sum | cut -c 1-16)}
cache=${MACHO_CACHE:-$root/.build-macho}/$swift_key

# c_compile SOURCE OBJECT [FLAG…]: compiles a C or C++ file for macOS.
c_compile() {
  local language=-std=gnu11
  [[ $1 != *.cpp ]] || language="-std=c++17 -fno-exceptions -x c++"
  # shellcheck disable=SC2086 # The variable is a list of words.
  "$CLANG" -target $c_target $language -O1 -g0 -ffreestanding "${darwin_headers[@]}" \
    -I "$root/Sources/RegistryC/include" -c "$1" -o "$2" "${@:3}"
}

# swift_compile FOLDER MODULE WORD…: compiles a module into a folder, which is also searched for
# the modules that it imports. The variable `language` holds the options of the module. By default,
# the compiler would compile the sources twice, in a process for the module and in one for its code.
language=()
swift_compile() {
  local folder=$1 module=$2
  "$swiftc" -target $target -Xfrontend -disable-objc-interop -I "$cache/modules" -I "$folder" \
    -Xcc -nostdlibinc -Xcc -ffreestanding -Xcc -idirafter -Xcc "$DARWIN_HEADERS" \
    -Xfrontend -disable-implicit-string-processing-module-import -Xfrontend -import-module -Xfrontend _Concurrency \
    -module-cache-path "$cache/clang" -swift-version 6 -parse-as-library -wmo -no-emit-module-separately-wmo \
    -module-name "$module" "${language[@]}" -emit-module -emit-module-path "$folder/$module.swiftmodule" \
    -c -o "$folder/$module.o" "${@:3}"
}

# write_system_library: lists the functions that the test dyld provides in place of the system's
# libraries. MACHO_STUBS is the folder of the list.
write_system_library() {
  {
    echo dlsym
    sed -n '/shared\[\] = {/,/}/p' "$swift_here/bridge.c" | grep -oE '\w+"' | tr -d '"'
    sed -nE 's/^ *FUNCTION\("([^"]*)".*/\1/p' "$harness/dyld/host.c"
    sed -nE 's/^@_silgen_name\("(host_\w+)"\)$/\1/p' "$swift_here/host/Host.swift"
  } | write_list "$MACHO_STUBS/libSystem.tbd" /usr/lib/libSystem.B.dylib
}

# link_program FILE WORD…: links a program. The Swift runtime, which is the one for Linux, is found
# by the bridge.
link_program() {
  "$LD64" -arch x86_64 -platform_version macos 13.0 13.0 -o "$@" "$MACHO_STUBS/libSystem.tbd" -L "$cache/stubs"
}

# link_image FILE WORD…: links a library.
link_image() { link_program "$1" -dylib "${@:2}"; }
