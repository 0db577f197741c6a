internal import RegistryC

extension ServiceCore {
  /// The manager of the instance that this thread is creating, or the shared manager.
  ///
  /// A transient instance is created for the manager that performs the lookup, so that a child can
  /// substitute what the instance looks up. Any other instance is created for the manager that
  /// keeps it.
  static var creating: ServiceCore {
    guard let manager = ResolutionFrame.top?.pointee.manager else { return shared }
    let core = ServiceManager(cell: shared.cell, owner: manager.takeUnretainedValue()).core
    // Handles refer to the original manager. Lookups through them find its copy for the test scope.
    return core.original ?? core
  }

  /// A handle that doesn't keep the manager alive, for objects that the manager can keep. Except in
  /// the shared handle, the cell is empty, so lookups take a path that retains the manager.
  package var unretained: ServiceManager {
    if self === Self.shared { return .shared }
    return ServiceManager(cell: UnretainedManager.cell, owner: UnretainedManager(core: self))
  }
}

final class UnretainedManager: Sendable {
  /// The empty cell of these handles. The manager's own cell could be freed during a read.
  // Unsafe: readers acquire no lock, but nothing is ever added to the cell.
  nonisolated(unsafe) static let cell = registry_cell_create()!

  private weak let manager: ServiceCore?

  init(core: ServiceCore) {
    manager = core
  }

  /// The manager, or an empty one after the manager was released.
  var core: ServiceCore {
    manager
      ?? ServiceCore(
        parent: nil, source: .released, log: DiagnosticLog(handler: Diagnostic.toStandardError))
  }
}
