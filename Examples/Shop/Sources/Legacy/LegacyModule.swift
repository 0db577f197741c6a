import Lifecycle
import Registry
import ShopAPI

/// A module that a record in C exports; see LegacyRecords.
final class LegacyModule: Module {
  @Service private var display: any Display

  static func subscribe(_ events: Subscriptions<LegacyModule>) {
    events.on(.openShopLink) { _, link, _ in link.hasPrefix("legacy:") }
  }

  func tearDown(_ context: Context) { display.show("legacy: done") }
}
