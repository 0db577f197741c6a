import Foundation
import TestSupport
import Testing

/// The library with musl.
///
/// This C library never unmaps an image, and finds a loaded image by opening its file again.
@Suite(.enabled(if: Compiler(named: "musl-gcc") != nil, "Debian's package musl-tools has the compiler"))
struct `Programs with musl` {
  @Test func `Programs pin a plug-in after its file is deleted and after the working folder changes`() throws {
    let scratch = try Scratch()
    let plugIn = """
      #include "registry_record.h"
      static bool accessor(void *out, const void *type, uintptr_t reserved) { return !out && !type && !reserved; }
      __attribute__((used, aligned(8), section(".note.registry"))) static struct {
        uint32_t name_size, size, kind;
        char name[12];
        registry_accessor accessor;
        char json[32];
      } record = {9, 40, 0x73657276, "Registry", accessor, "{}"};
      """
    let program = """
      #include "registry_images.h"
      #include "registry_record.h"
      #include <dlfcn.h>
      #include <unistd.h>

      // The accessor of the image that was loaded last.
      static const void *last_accessor(void) {
        registry_snapshot *snapshot = registry_images_snapshot(0);
        const registry_section *section = snapshot->images[snapshot->image_count - 1].sections;
        registry_walker walker = registry_walk(section->bytes, section->size, section->alignment);
        registry_item item = {0};
        (void)registry_walk_next(&walker, &item);
        registry_snapshot_free(snapshot);
        return (const void *)item.accessor;
      }

      int main(void) {
        uint64_t before = registry_images_generation();
        if (!dlopen("./one.so", RTLD_NOW) || registry_images_generation() == before) return 1;
        const void *one = last_accessor();
        if (unlink("one.so") != 0 || !one || !registry_image_pin(one)) return 2;
        if (!dlopen("./two.so", RTLD_NOW)) return 3;
        const void *two = last_accessor();
        if (chdir("/") != 0 || two == one || !registry_image_pin(two)) return 4;
        registry_segment segment;
        if (registry_image_pin_segment(two, &segment) != REGISTRY_PIN_KEPT) return 5;
        uintptr_t address = (uintptr_t)two;
        if (address < segment.start || address >= segment.end) return 6;
        return registry_image_pin_segment(&segment, &segment) == REGISTRY_PIN_NO_IMAGE ? 0 : 7;
      }
      """
    let compiler = try #require(Compiler(named: "musl-gcc"))
    func compile(_ source: String, _ flags: [String], to name: String) throws {
      let built = try compiler.run(
        ["-std=c11", "-Wall", "-Wextra", "-Werror", "-I", include] + flags + ["-x", "c", "-", "-o", name],
        input: source, in: scratch.path)
      try #require(built.succeeded, "\(built.output)")
    }
    try compile(plugIn, ["-shared", "-fPIC"], to: "one.so")
    try compile(plugIn, ["-shared", "-fPIC"], to: "two.so")
    try compile(program, ["-rdynamic"] + SharedObject.librarySources, to: "program")
    let result = try Command.run("./program", in: scratch.path)
    #expect(result.status == 0, "\(result.output)")
  }
}
