internal import Registry
internal import RoutePatterns

/// What URLs look like that lead to a route: `shop://order/:id(Int)`.
///
/// Write it with ``pattern(_:)``, so that a malformed one does not compile. `Documentation/Routing.md` has the syntax.
public struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
  /// As it was written.
  public let text: String

  /// Creates a pattern from text that is not known before run time.
  ///
  /// - Throws: An error whose description has the offset of the problem and what to write instead.
  public init(_ text: String) throws {
    do throws(PatternError) {
      _ = try PatternSyntax(text)
    } catch {
      throw RoutePatternError(text: error.text, offset: error.offset, reason: error.reason)
    }
    self.text = text
  }

  /// What `#pattern` expands to. Not API: the text was checked while the macro was expanded.
  public init(__checked text: StaticString) {
    self.text = "\(text)"
  }

  /// One that was taken apart already.
  init(_ pattern: PatternSyntax) {
    text = pattern.text
  }

  public var description: String { text }
}

/// An error about a text that is not a pattern.
package struct RoutePatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text.
  package let text: String
  /// The offset of the problem, in bytes of UTF-8.
  package let offset: Int
  /// The problem, and what to write instead.
  package let reason: String

  package var description: String { "\(reason), at byte \(offset) of the pattern \"\(text.escapedForDisplay())\"" }
}

/// A pattern that is checked while it is compiled.
///
/// ```swift
/// #pattern("https://shop.example/orders/:id(Int).html")
/// ```
///
/// - Parameter text: A string literal without interpolation.
@freestanding(expression)
public macro pattern(_ text: StaticString) -> RoutePattern =
  #externalMacro(module: "RegistryMacros", type: "PatternMacro")
