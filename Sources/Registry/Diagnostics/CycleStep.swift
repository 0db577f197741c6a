/// An element of a dependency cycle or chain, such as a service that is being created or a module
/// that waits for another module.
package final class CycleStep: Sendable, CustomStringConvertible {
  package let subject: String
  package let name: String?
  /// The name of the service's type, or a description of its closure; nil for other subjects.
  package let implementation: String?
  package let image: LoadedImage?

  package init(subject: String, named name: String? = nil, implementation: String? = nil, image: LoadedImage?) {
    self.subject = subject
    self.name = name
    self.implementation = implementation
    self.image = image
  }

  /// The text for messages, such as `'Cart.CartService' by 'Cart.DefaultCart' (Shop)`.
  package var description: String {
    subject.quotedForDisplay() + (name.map { " named \($0.quotedForDisplay())" } ?? "")
      + (implementation.map { " by \($0.implementationForDisplay(in: image))" } ?? image.map { " (\($0))" } ?? "")
  }
}

extension [CycleStep] {
  /// The steps on one line. If there are more than 20, a count replaces the ones in the middle.
  package var spelledOut: String {
    var steps: [String] = []
    for (index, step) in enumerated() where count <= 20 || index <= 10 || index >= count - 10 {
      steps.append(count > 20 && index == 10 ? "… \(count - 20) more …" : step.description)
    }
    return steps.joined(separator: " → ")
  }
}

extension String {
  /// Returns an implementation's name as messages spell it, followed by the image.
  ///
  /// Quotes type names, but not descriptions of closures, such as
  /// `the factory at Cart/Cart.swift:5`.
  func implementationForDisplay(in image: LoadedImage?) -> String {
    (hasPrefix("the ") ? escapedForDisplay() : quotedForDisplay()) + (image.map { " (\($0))" } ?? "")
  }
}
