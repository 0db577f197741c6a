import Foundation
import Lifecycle
import Registry
import RegistryC
import RegistryReports
import TestSupport

/// Scenarios in which the files of loaded images are replaced, deleted, or hidden.
extension LoaderProbe {
  private static let swap = Locked<(old: UnsafeMutableRawPointer, new: String)?>(nil)

  /// Checks that an image that is closed before it is pinned is not known, although another image
  /// is loaded at its address and pinned.
  static func swapped(_ plugIns: [String]) throws {
    // In a process with several threads, a helper pins images.
    Thread.detachNewThread { while true { sleep(60) } }
    lookUp()
    let old = try open(plugIns[0])
    swap.withLock { $0 = (old, plugIns[1]) }
    let swapImages: @convention(c) () -> Void = {
      let swap = LoaderProbe.swap.withLock { $0! }
      dlclose(swap.old)
      guard let new = try? LoaderProbe.open(swap.new) else { return }
      _ = registry_image_pin(dlsym(new, "plugin_initialize"))
    }
    let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "loader_call_before_pin")
    let callBeforePin = unsafeBitCast(symbol, to: (@convention(c) (UInt) -> Void).self)
    callBeforePin(unsafeBitCast(swapImages, to: UInt.self))
    lookUp()
    let paths = services.report().records.map(\.image.path)
    try check(paths.contains(plugIns[1]) && !paths.contains(plugIns[0]), "\(paths)")
    _ = try services.createService(for: (any Late).self, named: "plugin1")
    try check((try? services.createService(for: (any Late).self, named: "plugin0")) == nil, "its image is closed")
  }

  /// Opens and closes an image, so that the next scan compares all images.
  private static func change(_ handle: UnsafeMutableRawPointer) throws {
    try check(dlopen("/nowhere/libnothing.so", RTLD_NOW) == nil, "there is no such file")
    dlclose(handle)
  }

  /// Checks that the program stays the same image, with its modules and instances.
  ///
  /// The program is a copy of LoaderProbe, because the scenario deletes it.
  static func replacedProgram(_ plugIns: [String]) throws {
    let path = CommandLine.arguments[0]
    try MainActor.assumeIsolated {
      let modules = ModuleManager(records: .loadedImages, onDiagnostic: { print($0) })
      try modules.start()
      let lasting = try services.createService(for: (any Lasting).self)
      func image() -> LoadedImage? {
        services.report().records.first { $0.typeName?.contains("LastingService") == true }?.image
      }
      let own = image()
      try check(own?.path == path, "\(String(describing: own?.path)) is \(path)")
      @MainActor func checkSame(_ step: String) throws {
        modules.trigger(.probed)
        lookUp()
        try check(image() == own, "\(step): \(String(describing: image()))")
        try check(try services.createService(for: (any Lasting).self) === lasting, "\(step): the instance stays")
        let phases = ProbeModule.phases
        try check(phases == ["set up"], "\(step): \(phases)")
      }
      var handle = try open(plugIns[0])
      try Data().write(to: URL(fileURLWithPath: path + ".new"))
      try check(rename(path + ".new", path) == 0, "the file is replaced")
      try change(handle)
      try checkSame("replaced")
      handle = try open(plugIns[0])
      try check(unlink(path) == 0, "the file is deleted")
      try change(handle)
      try checkSame("deleted")
      handle = try open(plugIns[0])
      // Only a privileged process can do this.
      _ = chroot(URL(fileURLWithPath: path).deletingLastPathComponent().path)
      try change(handle)
      try checkSame("hidden")
    }
  }

  /// Checks that a library stays the same image, and can be opened again.
  static func replacedLibrary(_ plugIns: [String]) throws {
    let path = plugIns[0]
    let first = try services.openImage(at: path)
    let image = first.image
    let contents = try Data(contentsOf: URL(fileURLWithPath: path))
    for (step, data) in [("truncated", contents.prefix(2_000)), ("replaced", Data("text".utf8)), ("deleted", nil)] {
      let handle = try open(plugIns[1])
      if let data {
        try data.write(to: URL(fileURLWithPath: path + ".new"))
        try check(rename(path + ".new", path) == 0, "the file is replaced")
      } else {
        try check(unlink(path) == 0, "the file is deleted")
      }
      try change(handle)
      lookUp()
      let known = services.report().records.filter { $0.image.path == path }.map(\.image)
      try check(known == [image], "\(step): \(known)")
      let second = try services.openImage(at: path)
      try check(second.image == image && second.records.isEmpty, "\(step): \(String(describing: second.image))")
      second.close()
      _ = try services.createService(for: (any Late).self)
    }
    first.close()
    try check(!services.contains((any Late).self), "it was closed as often as it was opened")
  }
}
