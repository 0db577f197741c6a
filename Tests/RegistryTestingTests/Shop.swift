import Registry
import TestSupport

// A small shop that is live: exported, and asked for where every feature asks.

protocol Till: Sendable { var label: String { get } }
protocol Shelf: Sendable { var label: String { get } }
protocol Ledger: AnyObject, Sendable { func add() -> Int }

@ExportService(Till.self, scope: .shared)
struct LiveTill: Till {
  let label: String
  /// Shared, and keeps what it found when it was made.
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
  // As code does that has something else to do without it.
  (try? ServiceManager.shared.createService(for: type)).map(read)
}
