import Foundation
import Lifecycle
import Measuring
import Registry

// The child: a process that uses the managers for the first time.

/// A service that a C record of each generated image names.
public protocol Findable {}

public final class Found: NamedExport, Findable {
  public init() {}
}

/// The class behind all modules of an image that has one accessor.
final class Numbered: Module {}

/// A basic module: it is made when every module is in order, and before all others.
final class FirstOfAll: Module {
  static var made: UInt64 = 0

  init() { Self.made = threadTime() }
}

@MainActor enum FirstUse {
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  /// Opens images and uses the managers; prints how many nanoseconds it took until every service could be found and every
  /// module was in order, and until the modules were set up.
  ///
  /// - Parameter names: The modules' names in order.
  static func run(_ images: [String], names: [String], isGenerated: Bool) throws {
    let handles = try images.map { try open($0) }
    try answer(handles[0])
    let services = ServiceManager.shared
    let start = threadTime()
    let modules = ModuleManager.shared
    let isThere = services.contains((any Findable).self)
    modules.register(FirstOfAll.self, level: .basic)
    try modules.start()
    let end = threadTime()
    guard isThere != isGenerated else { throw Wrong(description: "the service that is looked up: \(isThere)") }
    guard modules.modules == ["Benchmarks.FirstOfAll"] + names else {
      throw Wrong(description: "\(modules.modules.count) modules are set up, or not in order")
    }
    let records = RecordSource.images { image in images.contains(image.path) }.records(of: .service)
    guard records.count == names.count + (isGenerated ? 0 : 1) else {
      throw Wrong(description: "\(records.count) services are found")
    }
    if isGenerated {
      // Of this very image, so it is there and of this type.
      let findAll = unsafeBitCast(dlsym(handles[0], "benchmark_find_all"), to: (@convention(c) () -> Int).self)
      guard findAll() == names.count else { throw Wrong(description: "not every service can be made") }
    }
    print(FirstOfAll.made - start, end - start)
  }

  /// Opens an image and reads its records once, eight bytes at a time; prints how many nanoseconds that took.
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
    // Sizes and kinds alone come to more than nothing; and who uses the sum has read all of it.
    guard sum != 0 else { throw Wrong(description: "\(image) is empty") }
    print(time)
  }

  static func open(_ image: String) throws -> UnsafeMutableRawPointer {
    guard let handle = dlopen(image, RTLD_NOW | RTLD_GLOBAL) else {
      throw Wrong(description: String(cString: dlerror()))
    }
    return handle
  }

  /// Tells the image's accessor, if it has one, whom to ask.
  private static func answer(_ handle: UnsafeMutableRawPointer) throws {
    guard let asked = dlsym(handle, "benchmark_asked") else { return }
    typealias Accessor = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer?, UInt) -> Bool
    let accessor: Accessor = { out, type, _ in
      // A class' metatype is a pointer to its metadata.
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
