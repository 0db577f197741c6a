/// An element of a dependency cycle: a service that is being created, or a module that waits for
/// another module.
///
/// Its description names the service or module, the implementation, and the image.
package struct CycleStep: Sendable, Hashable, CustomStringConvertible {
  /// The name of the service's protocol or of the module.
  package let subject: String
  /// The name that the service is exported or registered under, if it has one.
  package let name: String?
  /// The name of the type that implements the service; nil for a module.
  package let implementation: String?
  /// The image with the export; nil after a registration at run time.
  package let image: LoadedImage?

  package init(subject: String, named name: String? = nil, implementation: String? = nil, image: LoadedImage?) {
    self.subject = subject
    self.name = name
    self.implementation = implementation
    self.image = image
  }

  /// The names of the service or module, its implementation, and its image.
  ///
  /// An example is `'Cart.CartService' by 'Cart.DefaultCart' (Shop)`.
  package var description: String {
    subject.quotedForDisplay() + (name.map { " named \($0.quotedForDisplay())" } ?? "")
      + (implementation.map { " by \($0.implementationForDisplay(in: image))" } ?? image.map { " (\($0))" } ?? "")
  }
}

extension [CycleStep] {
  /// The cycle in one line, shortened in the middle if it is long.
  package var spelledOut: String {
    var steps = map(\.description)
    if count > 20 { steps.replaceSubrange(10..<(count - 10), with: ["… \(count - 20) more …"]) }
    return steps.joined(separator: " → ")
  }
}

extension String {
  /// Returns the name of an implementation as messages spell it, with its image.
  ///
  /// The name of a type is quoted. The description of a closure, such as `the factory at
  /// Cart/Cart.swift:5`, is not, because it is part of the sentence.
  func implementationForDisplay(in image: LoadedImage?) -> String {
    (hasPrefix("the ") ? escapedForDisplay() : quotedForDisplay()) + (image.map { " (\($0))" } ?? "")
  }
}
