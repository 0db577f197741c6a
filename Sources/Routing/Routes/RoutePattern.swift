internal import Registry
package import RoutePatterns

/// A pattern of the URLs that open a route, such as `shop://order/:id(Int)`.
///
/// Create patterns with ``pattern(_:)``, so that a malformed pattern doesn't compile.
/// `Documentation/Routing.md` describes the syntax.
public struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
  let text: String

  /// Creates a pattern from text that isn't known until run time.
  ///
  /// - Throws: An error whose description states the offset of the problem and the fix.
  public init(_ text: String) throws {
    _ = try PatternSyntax(text)
    self.text = text
  }

  /// Creates a pattern from text that the compiler plugin has checked. Not API: expansions of
  /// `#pattern` use it.
  public init(__checked text: StaticString) {
    self.text = "\(text)"
  }

  init(_ pattern: PatternSyntax) {
    text = pattern.text
  }

  /// The text of the pattern as it was written.
  public var description: String { text }
}

// Declared here, because the parser's module doesn't import `Registry` and can't escape the text.
extension PatternError: CustomStringConvertible {
  package var description: String { "\(reason) (at byte \(offset) of the pattern '\(text.escapedForDisplay())')" }
}

/// Creates a pattern that is checked at compile time.
///
/// ```swift
/// #pattern("https://shop.example/orders/:id(Int).html")
/// ```
///
/// - Parameter text: A string literal without interpolation.
@freestanding(expression)
public macro pattern(_ text: StaticString) -> RoutePattern =
  #externalMacro(module: "RoutingMacros", type: "PatternMacro")
