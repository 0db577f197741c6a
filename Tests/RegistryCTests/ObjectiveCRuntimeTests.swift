import Foundation
import RegistryC
import TestSupport
import Testing

/// The code that queries the Objective-C runtime, tested with GNU's runtime.
///
/// Linux has no other runtime, and the functions that the library calls are the same.
@Suite struct `The Objective-C run time` {
  /// The compiler gcc, if it compiles Objective-C and has a runtime to link.
  static let compiler: Compiler? = {
    guard let gcc = Compiler.gcc else { return nil }
    let probe = try? gcc.run(["-x", "objective-c", "-", "-fsyntax-only"], input: "#include <objc/runtime.h>\n")
    return probe?.status == 0 ? gcc : nil
  }()

  private static let program = #"""
    #include "registry_objc_runtime.h"
    #include <objc/runtime.h>
    #include <stdio.h>
    #include <string.h>

    static int failed;
    #define EXPECT(condition) \
      do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); failed = 1; } } while (0)

    @protocol Telling
    @end
    @protocol Clock <Telling>
    - (int)now;
    @end
    @protocol Unrelated
    @end

    __attribute__((objc_root_class)) @interface Root {
      Class isa;
      int number;
    }
    + (id)alloc;
    - (id)init;
    - (int)number;
    @end
    @implementation Root
    + (id)alloc { return class_createInstance(self, 0); }
    - (id)init { number = 7; return self; }
    - (int)number { return number; }
    @end

    @interface SystemClock : Root <Clock>
    @end
    @implementation SystemClock
    - (int)now { return [self number] + 1; }
    @end

    @interface LoudClock : SystemClock
    @end
    @implementation LoudClock
    @end

    @interface Quitter : Root
    @end
    @implementation Quitter
    - (id)init { object_dispose(self); return nil; }
    @end

    @interface Cluster : Root
    @end
    @implementation Cluster
    - (id)init { object_dispose(self); return [[SystemClock alloc] init]; }
    @end

    @interface Barren : Root
    @end
    @implementation Barren
    + (id)alloc { return nil; }
    @end

    __attribute__((objc_root_class)) @interface Bare {
      Class isa;
    }
    @end
    @implementation Bare
    @end

    static int initialized;
    @interface Listener : Root {
      id heard;
    }
    - (id)heard;
    @end
    @implementation Listener
    + (void)initialize { if (object_getClass(objc_getClass("Listener")) == object_getClass(self)) ++initialized; }
    - (void)modDidBecomeActive:(id)context { heard = context; }
    - (void)unlike { heard = self; }
    - (id)heard { return heard; }
    @end

    @interface LateListener : Listener
    @end
    @implementation LateListener
    @end

    // So that it is in the image.
    id protocols(void) { return (id)@protocol(Unrelated); }

    int main(void) {
      const void *clock = registry_objc_class("SystemClock"), *loud = registry_objc_class("LoudClock");
      const void *root = registry_objc_class("Root");
      EXPECT(clock && loud && root && clock == (const void *)objc_getClass("SystemClock"));
      EXPECT(!registry_objc_class("Clock") && !registry_objc_class("Shop.SystemClock") && !registry_objc_class(""));

      const void *telling = registry_objc_protocol("Telling"), *clocks = registry_objc_protocol("Clock");
      EXPECT(telling && clocks && !registry_objc_protocol("SystemClock") && !registry_objc_protocol(""));
      // Itself, by way of the protocol, by way of the superclass, by both; and not.
      EXPECT(registry_objc_class_conforms(clock, clocks) && registry_objc_class_conforms(clock, telling));
      EXPECT(registry_objc_class_conforms(loud, clocks) && registry_objc_class_conforms(loud, telling));
      EXPECT(!registry_objc_class_conforms(root, clocks) && !registry_objc_class_conforms(root, telling));
      EXPECT(!registry_objc_class_conforms(loud, registry_objc_protocol("Unrelated")));

      LoudClock *made = registry_objc_new(loud);
      EXPECT(made && (const void *)object_getClass(made) == loud && [made now] == 8);
      EXPECT(registry_objc_new(loud) != made);
      EXPECT(!registry_objc_new(registry_objc_class("Quitter")) && !registry_objc_new(registry_objc_class("Barren")));
      EXPECT(!registry_objc_new(registry_objc_class("Bare")));
      id other = registry_objc_new(registry_objc_class("Cluster"));
      EXPECT((const void *)object_getClass(other) == clock);

      const void *listener = registry_objc_class("LateListener");
      EXPECT(initialized == 0);
      EXPECT(registry_objc_class_responds(listener, "modDidBecomeActive:"));
      EXPECT(!registry_objc_class_responds(listener, "modDidBecomeActive") && !registry_objc_class_responds(listener, "class_"));
      EXPECT(!registry_objc_class_responds(root, "modDidBecomeActive:") && !registry_objc_class_responds(root, ""));
      Listener *late = registry_objc_new(listener);
      EXPECT(initialized == 1);
      EXPECT(registry_objc_send(late, "modDidBecomeActive:", made) && [late heard] == made);
      EXPECT(registry_objc_send(late, "modDidBecomeActive:", 0) && [late heard] == 0);
      EXPECT(!registry_objc_send(late, "modWillResignActive:", made) && [late heard] == 0);
      if (!failed) puts("all is well");
      return failed;
    }
    """#

  @Test(
    .enabled(
      if: compiler != nil, "no Objective-C compiler: `apt-get install gobjc` has one, with its run time"),
    arguments: [[], ["-O2"], ["-fsanitize=address,undefined", "-fno-sanitize-recover"]])
  func `Classes and protocols are found, queried, and instantiated with a real runtime`(flags: [String]) throws {
    let gcc = try #require(Self.compiler)
    let scratch = try Scratch()
    try Self.program.write(toFile: scratch.path + "/program.m", atomically: true, encoding: .utf8)
    let built = try gcc.run(
      flags + [
        "-DREGISTRY_OBJC_GNU", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-I", include, "-x",
        "objective-c", "program.m", "-x", "c", "-std=c11", "\(sources)/objc.c", "-lobjc", "-o", "program",
      ], in: scratch.path)
    try #require(built.status == 0, "\(built.output)")
    // The program does not release the objects that it creates, so the detection of leaks is off.
    let run = try Command.run("env", ["ASAN_OPTIONS=detect_leaks=0", "\(scratch.path)/program"])
    #expect(run.status == 0 && run.output == "all is well\n", "\(run.output)")
  }
}
