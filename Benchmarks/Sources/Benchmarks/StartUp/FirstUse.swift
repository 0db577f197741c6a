import Foundation
import Lifecycle
import Measuring
import Registry

// The code of the child process, which uses the managers for the first time.

/// A service that a C record exports in each image of generated records.
public protocol Findable {}

public final class Found: NamedExport, Findable {
  public init() {}
}

/// The class of all modules in an image with a single accessor.
final class Numbered: Module {}

/// A basic module, which is created before any other, after all modules are ordered.
final class FirstOfAll: Module {
  static var made: UInt64 = 0
  static var memory = TouchedMemory()
  /// A Boolean value that indicates whether the process ends here, for tools that count.
  static var isLast = false

  init() {
    if Self.isLast { exit(0) }
    Self.made = threadTime()
    Self.memory = TouchedMemory(since: Self.memory)
  }
}

extension Event where Payload == Void, Outcome == Void {
  fileprivate static var plugInIsOpen: Self { .init("large.plug-in-is-open") }
}

@MainActor enum FirstUse {
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  /// Opens images, uses the managers, and prints two times in nanoseconds and the memory that was
  /// touched in the first one.
  ///
  /// The first time ends when every service can be found and every module is ordered. The second
  /// ends when the modules are set up.
  ///
  /// - Parameters:
  ///   - images: The paths of the images. The records are in the first one.
  ///   - names: The names of the modules in order.
  ///   - isGenerated: A Boolean value that indicates whether Swift attributes export the records.
  static func run(_ images: [String], names: [String], isGenerated: Bool) throws {
    let handles = try images.map { try open($0) }
    try answer(handles[0])
    let services = ServiceManager.shared
    let memory = TouchedMemory()
    FirstOfAll.memory = memory
    let start = threadTime()
    let modules = ModuleManager.shared
    let isThere = services.contains((any Findable).self)
    modules.register(FirstOfAll.self, level: .basic)
    try modules.start()
    let end = threadTime()
    guard isThere != isGenerated else { throw Wrong(description: "the service that is looked up: \(isThere)") }
    guard modules.moduleNames == ["Benchmarks.FirstOfAll"] + names else {
      throw Wrong(description: "\(modules.moduleNames.count) modules are set up, or not in order")
    }
    let records = RecordSource.images { image in images.contains(image.path) }.records(of: .service)
    guard records.count == names.count + (isGenerated ? 0 : 1) else {
      throw Wrong(description: "\(records.count) services are found")
    }
    if isGenerated {
      // The image defines the function with this type.
      let findAll = unsafeBitCast(dlsym(handles[0], "benchmark_find_all"), to: (@convention(c) () -> Int).self)
      guard findAll() == names.count else { throw Wrong(description: "not every service can be made") }
    }
    print(FirstOfAll.made - start, end - start, FirstOfAll.memory.text(since: memory))
  }

  /// Opens images, uses the managers, and opens a plug-in. Prints the nanoseconds of first use, the
  /// kilobytes of the heap that it dirtied, and the nanoseconds of opening the plug-in.
  static func large(_ plugIn: String, _ images: [String]) throws {
    for image in images { try answer(open(image)) }
    let memory = TouchedMemory()
    let (services, modules) = (ServiceManager.shared, ModuleManager.shared)
    let start = threadTime()
    _ = services.contains((any Findable).self)
    try modules.start()
    let started = threadTime()
    let heap = TouchedMemory(since: memory).heap - memory.heap
    let count = modules.moduleNames.count
    let opening = threadTime()
    let opened = try services.openImage(at: plugIn)
    modules.trigger(.plugInIsOpen)
    let end = threadTime()
    // All images' accessors call the same function.
    guard opened.records.count == 100, modules.moduleNames.count == count + 50 else {
      throw Wrong(description: "the plug-in adds \(opened.records.count) records, or not all modules")
    }
    print(started - start, heap, end - opening)
  }

  /// Opens an image, reads its records once, and prints how many nanoseconds reading takes.
  ///
  /// The loop reads eight bytes at a time.
  static func read(_ image: String) throws {
    let handle = try open(image)
    guard let begin = dlsym(handle, "benchmark_begin"), let end = dlsym(handle, "benchmark_end") else {
      throw Wrong(description: "\(image) does not say where its records are")
    }
    let words = UnsafeRawBufferPointer(start: begin, count: end - begin).bindMemory(to: UInt64.self)
    let start = threadTime()
    var sum: UInt64 = 0
    for word in words { sum &+= word }
    let time = threadTime() - start
    // The sizes and kinds of the records make the sum nonzero. The check also uses the sum, so that
    // the optimizer cannot remove the loop.
    guard sum != 0 else { throw Wrong(description: "\(image) is empty") }
    print(time)
  }

  static func open(_ image: String) throws -> UnsafeMutableRawPointer {
    guard let handle = dlopen(image, RTLD_NOW | RTLD_GLOBAL) else {
      throw Wrong(description: String(cString: dlerror()))
    }
    return handle
  }

  /// Passes a function to the accessor of an image, if the image has one.
  private static func answer(_ handle: UnsafeMutableRawPointer) throws {
    guard let asked = dlsym(handle, "benchmark_asked") else { return }
    typealias Accessor = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer?, UInt) -> Bool
    let accessor: Accessor = { out, type, _ in
      // The metatype of a class is a pointer to its metadata.
      let own = unsafeBitCast(Numbered.self as Any.Type, to: UnsafeRawPointer.self)
      guard let type else {
        out.storeBytes(of: own, as: UnsafeRawPointer.self)
        return true
      }
      guard type == own else { return false }
      out.initializeMemory(as: (any Module.Type).self, to: Numbered.self)
      return true
    }
    asked.storeBytes(of: accessor, as: Accessor.self)
  }
}
