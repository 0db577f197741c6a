package import Registry

/// The lifetime of the services that one trait or modifier registers for a preview.
///
/// A process can contain several previews, but shows one at a time. Entering a scope ends all
/// scopes except the enclosing ones.
@MainActor package final class PreviewScope {
  /// A weak reference, so that a scope is deallocated with its view.
  private struct Entry {
    weak var scope: PreviewScope?
  }

  private static var entered: [Entry] = []

  private let register: (ServiceManager) -> Void
  /// The enclosing scope, retained so that it outlives this scope.
  private var outer: PreviewScope?
  private var registrations: OwnedRegistrations?

  /// Creates a scope, which registers nothing until it is entered.
  package init(_ register: @escaping @MainActor (ServiceManager) -> Void) {
    self.register = register
  }

  deinit {
    registrations?.end()
  }

  /// Registers the services of the preview, and ends the registrations of other previews.
  ///
  /// A scope that is already entered keeps its registrations and shared instances, because SwiftUI
  /// evaluates a view's body for every update.
  ///
  /// - Parameter outer: The scope of the enclosing trait or modifier. Its services remain, but the
  ///   services of this scope take precedence.
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
