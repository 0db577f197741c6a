/// A place in a circle: a service that is being made, or a module that waits for another.
public struct CycleStep: Sendable, Hashable, CustomStringConvertible {
  /// The service's protocol or the module, by name.
  public let subject: String
  /// The name that the service is exported or registered under, if it has one.
  public let name: String?
  /// What implements the service; nil for a module.
  public let implementation: String?
  /// The image that exports it; nil if it was registered at run time.
  public let image: LoadedImage?

  package init(subject: String, named name: String? = nil, implementation: String? = nil, image: LoadedImage?) {
    self.subject = subject
    self.name = name
    self.implementation = implementation
    self.image = image
  }

  /// `Cart.CartService by Cart.DefaultCart (Shop)`.
  public var description: String {
    subject.escapedForDisplay() + (name.map { " named \"\($0.escapedForDisplay())\"" } ?? "")
      + (implementation.map { " by \($0.escapedForDisplay())" } ?? "") + (image.map { " (\($0))" } ?? "")
  }
}

extension [CycleStep] {
  /// The way round in one line; of a long one the beginning and the end.
  package var spelledOut: String {
    var steps = map(\.description)
    if count > 20 { steps.replaceSubrange(10..<(count - 10), with: ["… \(count - 20) more …"]) }
    return steps.joined(separator: " → ")
  }
}
