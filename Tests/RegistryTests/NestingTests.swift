import Foundation
import RegistryCTestSupport
import TestSupport
import Testing

@testable import Registry

// Four services that look up the next one in their initializers. Each is exported twice: as a
// transient service, and with a name as a shared one.

protocol FirstStep: Sendable {}
protocol SecondStep: Sendable {}
protocol ThirdStep: Sendable {}
protocol LastStep: Sendable {}

@ExportService(FirstStep.self)
@ExportService(FirstStep.self, scope: .shared, named: "shared")
struct FirstStair: FirstStep {
  init() throws {
    Stairs.mark()
    _ = try Stairs.services.createService(for: SecondStep.self, named: Stairs.name)
  }
}

@ExportService(SecondStep.self)
@ExportService(SecondStep.self, scope: .shared, named: "shared")
struct SecondStair: SecondStep {
  init() throws {
    Stairs.mark()
    _ = try Stairs.services.createService(for: ThirdStep.self, named: Stairs.name)
  }
}

@ExportService(ThirdStep.self)
@ExportService(ThirdStep.self, scope: .shared, named: "shared")
struct ThirdStair: ThirdStep {
  init() throws {
    Stairs.mark()
    _ = try Stairs.services.createService(for: LastStep.self, named: Stairs.name)
  }
}

@ExportService(LastStep.self)
@ExportService(LastStep.self, scope: .shared, named: "shared")
struct LastStair: LastStep {
  init() throws { Stairs.mark() }
}

enum Stairs {
  @TaskLocal static var services = ServiceManager()
  @TaskLocal static var name: String?
  private static let marks = Locked<[UInt]>([])

  /// Records the address of the caller's stack.
  @inline(never) static func mark() {
    var here = 0
    let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    marks.withLock { $0.append(address) }
  }

  /// Returns the bytes of stack from each mark to the next one.
  static func distances(_ body: () throws -> Void) rethrows -> [Int] {
    marks.withLock { $0 = [] }
    try body()
    return marks.withLock { marks in zip(marks, marks.dropFirst()).map { Int($0 - $1) } }
  }
}

private protocol Rung: Sendable {}
private struct PlainRung: Rung {}

@Suite(.serialized, .timeLimit(.minutes(20))) struct NestingTests {
  #if DEBUG
  static let limit = 5_120
  #else
  static let limit = 2_048
  #endif

  /// Registers services under numbers. The factory of each looks up the next one.
  private func ladder(_ count: Int, _ scope: ServiceScope, last: @escaping @Sendable () throws -> Void = {})
    -> ServiceManager
  {
    let services = ServiceManager { _ in }
    for number in 0..<count {
      let next = number + 1 < count ? "\(number + 1)" : nil
      services.register(Rung.self, scope: scope, named: "\(number)") { services in
        Stairs.mark()
        if let next { _ = try services.createService(for: Rung.self, named: next) } else { try last() }
        return PlainRung()
      }
    }
    return services
  }

  private func onThread(stack: Int, _ body: @escaping @Sendable () -> Void) {
    let ended = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      ended.signal()
    }
    thread.stackSize = stack
    thread.start()
    ended.wait()
  }

  // With sanitizers, variables can be elsewhere than on the stack, and frames are larger.
  private static let canMeasure = !registry_test_is_sanitized()

  @Test(.enabled(if: canMeasure), arguments: [nil, "shared"])
  func `an exported service in the initializer of another one needs little stack`(name: String?) throws {
    let services = ServiceManager(records: .records { $0.name?.hasSuffix("Step") == true })
    try Stairs.$services.withValue(services) {
      try Stairs.$name.withValue(name) {
        // The second round finds the transient services in the table.
        for _ in 0..<2 {
          let distances = try Stairs.distances { _ = try services.createService(for: FirstStep.self, named: name) }
          #expect(distances.allSatisfy { $0 <= Self.limit }, "\(distances)")
        }
      }
    }
  }

  @Test(.enabled(if: canMeasure), arguments: [ServiceScope.shared, .weak, .cached("rungs"), .transient])
  func `a registered service in the factory of another one needs little stack`(scope: ServiceScope) throws {
    let services = ladder(20, scope)
    let distances = try Stairs.distances { _ = try services.createService(for: Rung.self, named: "0") }
    #expect(distances.count == 19 && distances.allSatisfy { $0 <= Self.limit }, "\(distances)")
  }

  @Test(arguments: [ServiceScope.shared, .transient])
  func `services that look each other up without end are an error with their names`(scope: ServiceScope) throws {
    let count = 20_000
    let services = ladder(count, scope)
    for size in [256 << 10, 512 << 10, 8 << 20] {
      onThread(stack: size) {
        let error = #expect(throws: ServiceError.self) { try services.createService(for: Rung.self, named: "0") }
        let text = error?.description ?? ""
        guard let depth = text.split(separator: " ").lazy.compactMap({ Int($0) }).first, error?.code == .deepNesting
        else {
          Issue.record("\(error as Any)")
          return
        }
        // An eighth of the stack is left.
        let least = Self.canMeasure ? size * 3 / 4 / Self.limit : 4
        #expect(depth > least && depth < count)
        #expect(text.contains("the creation of \(depth) services") && text.hasSuffix("[deep-nesting]"))
        let names = text.matches(of: /named '(\d+)'/).map(\.output.1)
        #expect(names.first == "0" && names.last == "\(depth - 1)" && text.utf8.count < 10_000)
        // The services at the end of the chain are created as always.
        #expect(throws: Never.self) { try services.createService(for: Rung.self, named: "\(count - 10)") }
      }
    }
  }

  @Test func `a deep chain of transient services that returns to one of them is a cycle`() throws {
    for target in [0, 10, 40] {
      let manager = Locked<ServiceManager?>(nil)
      let services = ladder(50, .transient) {
        _ = try manager.withLock { $0 }?.createService(for: Rung.self, named: "\(target)")
      }
      manager.withLock { $0 = services }
      for _ in 0..<2 {
        let error = #expect(throws: ServiceError.self) { try services.createService(for: Rung.self, named: "0") }
        let names = try #require(error).description.matches(of: /named '(\d+)'/).map { Int($0.output.1) }
        let path = Array(target..<50) + [target]
        // The description omits the steps in the middle.
        let more = path.count - 20
        #expect(names == (more > 0 ? path.prefix(10) + path.suffix(10) : path), "\(error as Any)")
        #expect(error?.code == .serviceCycle && (more < 0 || error!.description.contains("… \(more) more …")))
      }
      manager.withLock { $0 = nil }
      // The chain can be created twice beside itself.
      _ = try services.createService(for: Rung.self, named: "\(target)")
    }
  }
}
