/// The registrations of one owner, such as a module. They end together; see
/// ``ServiceManager/collecting(_:precedeOthers:)``.
package final class OwnedRegistrations: Sendable {
  private struct Registration {
    /// The registered object, which is usually released when its registration ends.
    weak let subject: AnyObject?
    let token: RegistrationToken
  }

  private struct State {
    var all: [Registration] = []
    /// The number of registrations at which `add` discards registrations that have ended.
    var limit = 16
    var hasEnded = false
  }

  let core: ServiceCore
  let precedeOthers: Bool
  private let state = Locked(State())

  init(in core: ServiceCore, precedeOthers: Bool) {
    self.core = core
    self.precedeOthers = precedeOthers
  }

  package var count: Int { state.withLock { $0.all.count } }

  /// Adds a registration, which ends immediately if the owner was torn down.
  package func add(_ subject: AnyObject, _ token: RegistrationToken) {
    let hasEnded = state.withLock { state in
      if state.hasEnded { return true }
      if state.all.count >= state.limit {
        state.all.discard { $0.subject == nil }
        state.limit = max(16, 2 * state.all.count)
      }
      state.all.append(Registration(subject: subject, token: token))
      return false
    }
    if hasEnded { token.cancel() }
  }

  package func end() {
    // Cancel outside the lock, because that can run user code's deinitializers.
    let all = state.withLock { state in
      defer { state.all = [] }
      state.hasEnded = true
      return state.all
    }
    #if DEBUG
    // Keep the subjects alive. Otherwise, a new entry could get the address of a freed one.
    let subjects = all.compactMap(\.subject)
    let entries = Set(subjects.map(ObjectIdentifier.init))
    ServiceCore.ending.withLock { $0.formUnion(entries) }
    defer {
      ServiceCore.ending.withLock { $0.subtract(entries) }
      withExtendedLifetime(subjects) {}
    }
    #endif
    func cancel() {
      for registration in all.reversed() { registration.token.cancel() }
      // The owner ends in the whole process, but in a test scope, tokens affect only the scope.
      if let scope = TaskScope.current { TaskScope.$current.withValue(scope.outer, operation: cancel) }
    }
    cancel()
  }
}
