import Lifecycle
import Registry
import ShopAPI

/// A module that becomes ready, works while the shop is open, and completes its work before it
/// ends.
///
/// It follows the catalog and terminal modules, which provide the services of its properties.
@ExportModule(afterNeeds: true)
final class WarehouseModule: AsyncModule {
  private var services = ServiceManager()
  @Service(in: \WarehouseModule.services) private var catalog: any CatalogService
  @Service(in: \WarehouseModule.services) private var display: any Display

  // Create the streams with the module, because an order can be paid before the work begins.
  private let (orders, paid) = AsyncStream.makeStream(of: Order.self)
  private let (closing, doors) = AsyncStream.makeStream(of: Never.self)
  private var isOpen = false
  private var packed = 0

  static func subscribe(_ events: Subscriptions<WarehouseModule>) {
    events.on(.orderWasPaid) { module, order, _ in
      module.paid.yield(order)
      return []
    }
  }

  func setUp(_ context: Context) { services = context.services }

  func becomeReady(_ context: Context) async throws {
    await Task.yield()
    display.show("warehouse: ready, tea \(catalog.product("tea") == nil ? "is out" : "is there")")
  }

  func run(_ context: Context) async throws {
    isOpen = true
    for await order in orders { packed += order.products.count }
    doors.finish()
  }

  func shutDown(_ context: Context) async throws {
    paid.finish()
    if isOpen { for await _ in closing {} }
    display.show("warehouse: \(packed) thing(s) packed, doors closed")
  }
}
