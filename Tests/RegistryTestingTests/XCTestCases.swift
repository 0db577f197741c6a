import Registry
import TestSupport
import XCTest

private let shared = ServiceManager.shared

/// A test case that runs each of its tests in a separate scope.
///
/// Documentation/Testing.md shows this code.
class ShopTestCase: XCTestCase {
  override func invokeTest() {
    shared.withTestScope(.strict.onLiveService { XCTFail("\($0)") }) {
      $0.override(Shelf.self) { Fake(label: "\(Self.self)'s shelf") }
      $0.allowLive(Ledger.self)
    } operation: {
      super.invokeTest()
    }
  }
}

final class XCTestScopeTests: ShopTestCase {
  private var label = ""

  override func setUp() {
    label = (try? shared.createService(for: Shelf.self).label) ?? "none"
    shared.register(Till.self) { Fake(label: "registered in setUp") }
  }

  override func tearDown() {
    XCTAssertEqual(try? shared.createService(for: Shelf.self).label, "XCTestScopeTests's shelf")
  }

  func testASetUpAndATestAreInTheScope() throws {
    XCTAssertEqual(label, "XCTestScopeTests's shelf")
    XCTAssertEqual(try shared.createService(for: Till.self).label, "registered in setUp")
  }

  func testOneTestHasItsOwnInstances() throws {
    XCTAssertEqual(try shared.createService(for: Ledger.self).add(), 1)
  }

  func testAnotherTestHasItsOwnInstances() throws {
    XCTAssertEqual(try shared.createService(for: Ledger.self).add(), 1)
  }

  func testAnAsyncTestIsInTheScope() async throws {
    XCTAssertEqual(try shared.createService(for: Ledger.self).add(), 1)
    await Task.yield()
    XCTAssertEqual(try shared.createService(for: Shelf.self).label, "XCTestScopeTests's shelf")
    async let child = shared.createService(for: Ledger.self).add()
    let second = try await child
    XCTAssertEqual(second, 2)
  }

  @MainActor func testATestOfTheMainActorIsInTheScope() async throws {
    await Task.yield()
    XCTAssertEqual(try shared.createService(for: Ledger.self).add(), 1)
  }
}

final class XCTestAsyncSetUpTests: ShopTestCase {
  private var entries = 0

  override func setUp() async throws {
    entries = try shared.createService(for: Ledger.self).add()
  }

  func testAnAsyncSetUpIsInTheScopeOfItsTest() async throws {
    XCTAssertEqual(entries, 1)
    XCTAssertEqual(try shared.createService(for: Ledger.self).add(), 2)
  }
}

final class XCTestStrictTests: XCTestCase {
  private let failures = Trace()

  override func invokeTest() {
    shared.withTestScope(.strict.onLiveService { [failures] in failures.add("\($0)") }) { super.invokeTest() }
  }

  func testALiveServiceIsToldThoughItsErrorIsDropped() {
    XCTAssertNil(label(Till.self) { $0.label })
    XCTAssertEqual(failures.lines.count, 1)
    XCTAssertTrue(failures.lines.first?.contains("RegistryTestingTests.LiveTill") == true)
  }
}
