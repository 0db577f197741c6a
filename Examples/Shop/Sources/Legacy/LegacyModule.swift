import Lifecycle
import Registry
import ShopAPI

/// A module that a record in C exports; see LegacyRecords.
final class LegacyModule: Module {
  private var services = ServiceManager()
  @Service(in: \LegacyModule.services) private var display: any Display

  static func subscribe(_ events: Subscriptions<LegacyModule>) {
    events.on(.openShopLink) { _, link, _ in link.hasPrefix("legacy:") }
  }

  func setUp(_ context: Context) { services = context.services }

  func tearDown(_ context: Context) { display.show("legacy: done") }
}
