import Foundation
import TestSupport
import Testing

/// A program and a plug-in that each contain a copy of the library.
@Suite struct `Copies of the library` {
  /// The functions by which the program compares the plug-in's copy with its own.
  private static let plugIn = """
    #include "registry_images.h"
    #include "registry_table.h"
    registry_cell *plugin_cell(void) { return registry_shared(); }
    bool plugin_publish(const void *key, const void *value) { return registry_publish(registry_shared(), key, value); }
    void plugin_withdraw(void) { registry_withdraw(); }
    """

  private static let program = """
    #include "registry_images.h"
    #include "registry_table.h"
    #include <dlfcn.h>
    #include <pthread.h>
    #include <stdio.h>

    typedef bool publisher(const void *key, const void *value);
    static bool publish(const void *key, const void *value) { return registry_publish(registry_shared(), key, value); }
    static char keys[20000][16];

    static void *publish_all(void *function) {
      publisher *publisher = *(bool (**)(const void *, const void *))function;
      for (size_t index = 0; index < 20000; ++index) if (!publisher(keys[index], function)) return NULL;
      return function;
    }

    int main(int count, char **arguments) {
      void *plugin = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
      if (!plugin) return puts(dlerror()), 1;
      registry_cell *(*cell)(void) = (registry_cell * (*)(void)) dlsym(plugin, "plugin_cell");
      void (*withdraw)(void) = (void (*)(void))dlsym(plugin, "plugin_withdraw");
      publisher *publishers[] = {publish, (publisher *)dlsym(plugin, "plugin_publish")};
      if (cell() == registry_shared()) return 2;
      withdraw();
      if (registry_withdrawals() != 0) return 3;

      // Each copy has one writer, which acquires a lock that the other one does not know.
      pthread_t threads[2];
      for (int index = 0; index < 2; ++index)
        if (pthread_create(&threads[index], NULL, publish_all, &publishers[index]) != 0) return 4;
      for (int index = 0; index < 2; ++index) {
        void *result = NULL;
        if (pthread_join(threads[index], &result) != 0 || !result) return 5;
      }
      for (size_t index = 0; index < 20000; ++index) {
        if (registry_find(registry_shared(), keys[index]) != &publishers[0]) return 6;
        if (registry_find(cell(), keys[index]) != &publishers[1]) return 7;
      }
      return 0;
    }
    """

  @Test(arguments: Compiler.all, [[], ["-fsanitize=thread"]])
  func `Each copy has its own functions and tables, without a race`(compiler: Compiler, flags: [String]) throws {
    let scratch = try Scratch()
    func compile(_ source: String, _ flags: [String], to name: String) throws -> Command {
      try compiler.run(
        ["-g", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", include] + flags + SharedObject.librarySources
          + ["-x", "c", "-", "-ldl", "-o", name], input: source, in: scratch.path)
    }
    let plugIn = try compile(Self.plugIn, flags + ["-shared", "-fPIC"], to: "plugin.so")
    try #require(plugIn.succeeded, "\(plugIn.output)")
    // The program exports its symbols, as programs that SwiftPM links do.
    let program = try compile(Self.program, flags + ["-rdynamic"], to: "program")
    // The sanitizer of Swift's clang needs the libraries of Swift's runtime.
    if !flags.isEmpty, !program.succeeded { return }
    try #require(program.succeeded, "\(program.output)")
    let result = try Command.run("./program", ["./plugin.so"], in: scratch.path)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test(.enabled(if: Compiler(named: "readelf") != nil, "GNU's binutils have the program"))
  func `No symbol of the library can be replaced by another copy`() throws {
    let scratch = try Scratch()
    let clang = try #require(Compiler.clang)
    let built = try clang.run(
      ["-shared", "-fPIC", "-pthread", "-I", include] + sourceFiles() + ["-o", "library.so"],
      in: scratch.path)
    try #require(built.succeeded, "\(built.output)")
    let symbols = try #require(Compiler(named: "readelf")).run(["-W", "--dyn-syms", "library.so"], in: scratch.path)
    // Number, value, size, type, binding, visibility, section, name.
    let own = symbols.output.split(separator: "\n").map { $0.split(separator: " ") }
      .filter { $0.count >= 8 && $0[6] != "UND" && $0[7].hasPrefix("registry_") }
    #expect(own.count > 60)
    #expect(own.filter { $0[5] != "PROTECTED" }.map { $0[7] } == [])
  }
}
