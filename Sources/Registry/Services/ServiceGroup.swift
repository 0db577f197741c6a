internal import RegistryC

/// The implementations of one service, best first. Guarded by the manager's lock.
final class ServiceGroup {
  let key: TypeKey
  private(set) var entries: [ServiceEntry] = []
  /// Whether C records that name the service's type have been added.
  var isClaimed = false
  /// How many overrides are in force in some task.
  var overrides = 0 {
    didSet { updateSlot() }
  }

  private let cell: UnsafeMutablePointer<registry_cell>
  /// The implementation whose instance was ever in the table. Readers take no lock and may be about to
  /// retain the instance, so it is never freed while the manager lives; and so that no more than one of a
  /// type is kept, no other gets into the table after it. (Reclamation in Documentation/Design.md.)
  private var published: ServiceEntry?
  private var isPublished = false

  init(key: TypeKey, cell: UnsafeMutablePointer<registry_cell>) {
    self.key = key
    self.cell = cell
  }

  /// The same implementations for an isolated scope, whose manager has a cell of its own.
  init(copying other: ServiceGroup, cell: UnsafeMutablePointer<registry_cell>) {
    key = other.key
    entries = other.entries.map { ServiceEntry(copying: $0) }
    isClaimed = other.isClaimed
    self.cell = cell
  }

  /// Adds implementations.
  ///
  /// - Returns: What is worth saying about them beside the others.
  func add(_ added: [ServiceEntry]) -> [Diagnostic] {
    entries += added
    entries.sort { $0.rank < $1.rank }
    updateSlot()
    return entries.count > 1 ? conflicts(of: added) : []
  }

  /// Removes implementations and returns them: to be let go of outside the lock, where user code may run.
  func remove(where isRemoved: (ServiceEntry) -> Bool) -> [ServiceEntry] {
    let removed = entries.filter(isRemoved)
    guard !removed.isEmpty else { return [] }
    for entry in removed { entry.isRegistered = false }
    entries.removeAll(where: isRemoved)
    updateSlot()
    return removed
  }

  /// Gives implementations another chance whose class no image had.
  func forgetUnknownClasses() {
    for entry in entries where entry.problem?.code == .unknownClass { entry.problem = nil }
  }

  /// Puts into the table what a look-up without a name gets, if it is a shared instance that was made.
  func updateSlot() {
    let best = entries.first { $0.name == nil && $0.problem == nil }
    var value: UnsafeRawPointer?
    if overrides == 0, let best, published == nil || published === best { value = best.instance }
    guard value != nil || isPublished else { return }
    if value != nil { published = best }
    // Out of memory for a larger table: look-ups of this service stay on the slow path.
    isPublished = registry_publish(cell, key, value) && value != nil
  }

  /// Ties and attempts to take over, among implementations of the same name.
  private func conflicts(of added: [ServiceEntry]) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for name in Set(added.map(\.name)) {
      let rivals = entries.filter { $0.name == name }
      guard let first = rivals.first else { continue }
      for rival in rivals.dropFirst() {
        if rival.rank.batch == first.rank.batch, rival.rank.priority == first.rank.priority {
          diagnostics.append(
            Diagnostic(
              severity: .warning, code: .tie, subject: first.service, image: first.image,
              message: "\(first.label) and \(rival.label) implement it with priority \(first.rank.priority);"
                + " the first in load order is used: give one a higher priority, or names"))
        } else if rival.rank.batch > first.rank.batch, rival.rank.priority > first.rank.priority {
          diagnostics.append(
            Diagnostic(
              severity: .warning, code: .takeover, subject: first.service, image: rival.image,
              message: "\(rival.label) came later and does not take it over from \(first.label), whatever its"
                + " priority: register it with replacing: true if that is meant"))
        }
      }
    }
    return diagnostics
  }
}
