import Lifecycle
import Registry
import ShopAPI

/// Takes its time to be ready, works as long as the shop is open, and finishes what it has begun.
@ExportModule(after: ["Catalog.CatalogModule"])
final class WarehouseModule: AsyncModule {
  private var orders: AsyncStream<Order>.Continuation?
  private var packed = 0

  static func subscribe(_ events: Subscriptions<WarehouseModule>) {
    events.on(.orderWasPaid) { module, order, _ in
      module.orders?.yield(order)
      return []
    }
  }

  func becomeReady(_ context: Context) async throws {
    let catalog = try context.services.createService(for: CatalogService.self)
    await Task.yield()
    show("warehouse: ready, tea \(catalog.product("tea") == nil ? "is out" : "is there")", context)
  }

  func run(_ context: Context) async throws {
    let (stream, orders) = AsyncStream.makeStream(of: Order.self)
    self.orders = orders
    for await order in stream { packed += order.products.count }
  }

  func shutDown(_ context: Context) async throws {
    orders?.finish()
    show("warehouse: \(packed) thing(s) packed, doors closed", context)
  }

  private func show(_ line: String, _ context: Context) {
    try? context.services.createService(for: Display.self).show(line)
  }
}
