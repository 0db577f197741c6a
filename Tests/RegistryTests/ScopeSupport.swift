import Registry
import TestSupport

// The tests of scopes look these services up.

protocol Gadget: AnyObject, Sendable { var name: String { get } }
protocol Holder: AnyObject, Sendable { var held: any Gadget { get } }

final class Widget: Gadget {
  let name: String
  private let onDeinit: @Sendable () -> Void
  init(_ name: String, onDeinit: @escaping @Sendable () -> Void = {}) {
    self.name = name
    self.onDeinit = onDeinit
  }
  deinit { onDeinit() }
}

extension ServiceError {
  /// The steps of a cycle in the description, such as `'Tool' by 'Shop.Hammer' (Shop)`.
  var steps: [String] {
    let text = description.prefix { $0 != ";" }
    let start = text.firstRange(of: "dependency cycle: ")
    return code == "service-cycle" && start != nil
      ? text[start!.upperBound...].split(separator: " → ").map(String.init) : []
  }

  /// The names in single quotes of each step: the service, and the type of the implementation.
  var stepNames: [[String]] {
    steps.map { step in
      step.split(separator: "'", omittingEmptySubsequences: false).enumerated().compactMap {
        $0.isMultiple(of: 2) ? nil : String($1)
      }
    }
  }
}

extension ServiceScope {
  /// The scopes, with one cache.
  static let every: [ServiceScope] = [.transient, .shared, .weak, .cached("session")]
}

/// A shared service that keeps the gadget that it found when it was created.
final class Keeper: Holder {
  let held: any Gadget
  init(_ held: any Gadget) { self.held = held }
}

/// A manager with a live gadget and a live holder of it.
///
/// Both services are shared. The gadgets are named `live 1`, `live 2`, and so on.
final class GadgetShop: Sendable {
  let services = ServiceManager()
  let made = Counter()
  let freed = Counter()

  init() {
    services.register(Gadget.self, scope: .shared) { [made, freed] in
      Widget("live \(made.increment())", onDeinit: { freed.increment() })
    }
    services.register(Holder.self, scope: .shared) { [services] in
      Keeper(try services.createService(for: Gadget.self))
    }
  }

  deinit {
    // A factory that captures its own manager keeps the manager alive.
    services.unregister(Holder.self)
  }
}

extension ServiceManager {
  func gadget() throws(ServiceError) -> String { try createService(for: Gadget.self).name }
  func held() throws(ServiceError) -> String { try createService(for: Holder.self).held.name }
}

/// The errors that a strict scope has reported.
final class Withheld: Sendable {
  private let list = Trace()
  var handler: @Sendable (ServiceError) -> Void { { [list] in list.add($0.description) } }
  var messages: [String] { list.lines }
}
