package import Registry

/// The lifetime of the services that one trait or modifier registers for a preview.
///
/// A process can contain several previews and shows one at a time. A scope that is entered
/// ends all scopes except the enclosing ones.
@MainActor package final class PreviewScope {
  /// A scope that is retained only by its view, so that its registrations end with the view.
  private struct Entry {
    weak var scope: PreviewScope?
  }

  private static var entered: [Entry] = []

  private let register: (ServiceManager) -> Void
  /// The scope around this one, which ends later because this reference retains it.
  private var outer: PreviewScope?
  /// The registrations; nil if the scope is not entered.
  private var registrations: OwnedRegistrations?

  /// Creates a scope, which registers nothing until it is entered.
  ///
  /// - Parameter register: A closure that registers the services of the preview.
  package init(_ register: @escaping @MainActor (ServiceManager) -> Void) {
    self.register = register
  }

  deinit {
    registrations?.end()
  }

  /// Registers the services of the preview, and ends the registrations of other previews.
  ///
  /// A scope that is entered already keeps its registrations and their shared instances, because
  /// SwiftUI evaluates a view's body for every update.
  ///
  /// - Parameter outer: The scope of a trait or modifier around this one. Its services remain, and
  ///   this scope's services precede them.
  package func enter(in outer: PreviewScope? = nil) {
    guard registrations == nil else { return }
    outer?.enter(in: outer?.outer)
    self.outer = outer
    let kept = Array(sequence(first: self, next: \.outer))
    for entry in Self.entered {
      if let scope = entry.scope, !kept.contains(where: { $0 === scope }) { scope.end() }
    }
    Self.entered = kept.map { Entry(scope: $0) }
    register(ServiceManager.shared.collecting(&registrations, precedeOthers: true))
  }

  private func end() {
    registrations?.end()
    registrations = nil
  }
}
