import Lifecycle
import Registry
import RegistryReports
import ShopAPI
import XCTest

@testable import Loyalty

/// Tests with XCTest, which invokes every test in a separate strict scope.
final class LoyaltyTests: XCTestCase {
  private struct SilentDisplay: Display {
    func show(_ line: String) {}
  }

  override func invokeTest() {
    ServiceManager.shared.withTestScope(.strict.onLiveService { XCTFail("\($0)") }) {
      $0.override(Display.self) { @MainActor in SilentDisplay() }
    } operation: {
      super.invokeTest()
    }
  }

  private let order = Order(
    user: User(name: "Ada"),
    products: [
      Product(sku: "tea", title: "Green tea", cents: 450), Product(sku: "cup", title: "Blue cup", cents: 1290),
    ])

  func testAnOrderEarnsAPointForEachWholeUnitOfMoney() {
    XCTAssertEqual(Points.earned(by: order), 17)
  }

  @MainActor func testAPaidOrderShowsItsPoints() async throws {
    let modules = ModuleManager(modules: [LoyaltyModule.self], services: .shared)
    try modules.start()
    XCTAssertEqual(modules.trigger(.orderWasPaid, order), ["17 loyalty points for Ada"])
    // The tear-down resolves a display and receives the silent one.
    modules.stop()
    XCTAssertEqual(modules.report().diagnostics.map(\.description), [])
  }
}
