import Registry
import TestSupport

// The live services of a small shop, which exports them and looks them up in many places.

protocol Till: Sendable { var label: String { get } }
protocol Shelf: Sendable { var label: String { get } }
protocol Ledger: AnyObject, Sendable { func add() -> Int }

@ExportService(Till.self, scope: .shared)
struct LiveTill: Till {
  let label: String
  /// Creates a till that keeps the label of the shelf it finds.
  ///
  /// The till is shared, so it keeps this label for all its users.
  init() throws { label = "live till by " + (try ServiceManager.shared.createService(for: Shelf.self).label) }
}

@ExportService(Shelf.self)
struct LiveShelf: Shelf {
  init() {}
  var label: String { "live shelf" }
}

@ExportService(Ledger.self, scope: .shared)
final class LiveLedger: Ledger {
  private let entries = Counter()
  init() {}
  func add() -> Int { entries.increment() }
}

struct Fake: Till, Shelf {
  var label = "fake"
}

func label<Service>(_ type: Service.Type, _ read: (Service) -> String) -> String? {
  // Errors are discarded, as in code that has an alternative to the service.
  (try? ServiceManager.shared.createService(for: type)).map(read)
}
