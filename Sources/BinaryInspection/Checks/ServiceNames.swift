import Registry

extension Inspection {
  func serviceNames(of family: [InspectedImage]) -> ServiceNames {
    ServiceNames(types?[family[0].header.family] ?? DeclaredTypes())
  }
}

/// A resolver that maps the recorded names of services to the protocols that the files declare.
///
/// A macro records a name as written in the source, such as `CartService`. Two modules can each
/// have a protocol with the same name, and one protocol can be spelled in two ways. Like Swift, the
/// resolver searches the enclosing types first, then their module, and then other modules.
final class ServiceNames {
  let known: DeclaredTypes
  private lazy var protocols = Self.byEnds(known.protocols)
  private lazy var types = Self.byEnds(known.swift)

  init(_ known: DeclaredTypes) {
    self.known = known
  }

  /// Returns a mapping from dotted suffixes, such as `Cart`, to full names, such as `Shop.Cart`. A
  /// suffix that several names share maps to nil.
  private static func byEnds(_ names: Set<String>) -> [Substring: String?] {
    var found: [Substring: String?] = [:]
    for name in names {
      for end in name.ends { found[end] = .some(found[end] == nil ? name : nil) }
    }
    return found
  }

  /// Returns values that are equal for records of the same service: the protocol's full name, or
  /// the name as written if no file declares the protocol. If several protocols match, the values
  /// also include the implementing type's module.
  func meaning(of placed: ImageRecord) -> [String?] {
    let contents = placed.contents
    // Records without an accessor contain the full name.
    guard let written = contents.target, placed.record.hasAccessor else { return [contents.target, nil] }
    switch resolve(written, in: [contents.type]) {
    case .declared(let full): return [full, nil]
    case .ambiguous: return [written, contents.type.map { String($0.prefix { $0 != "." }) }]
    case .unknown: return [written, nil]
    }
  }

  enum Resolution {
    /// The full name of the declaration that the name refers to.
    case declared(String)
    /// The name can refer to several declarations.
    case ambiguous
    /// No file declares the name, for example because the name is a type alias.
    case unknown
  }

  /// Returns the declaration that a name in a source file refers to.
  ///
  /// - Parameters:
  ///   - scopes: The full names of the types or modules that contain the name.
  ///   - isType: True if the name refers to a type, not to a protocol.
  func resolve(_ written: String, in scopes: [String?], isType: Bool = false) -> Resolution {
    for case let scope? in scopes {
      if let full = written.candidates(in: scope).first(where: known.contains) { return .declared(full) }
    }
    if known.contains(written) { return .declared(written) }
    guard let imported = (isType ? types : protocols)[written[...]] else { return .unknown }
    return imported.map { .declared($0) } ?? .ambiguous
  }

  /// True if all types and protocols of the files are known, and the files declare a protocol.
  var isComplete: Bool { known.isComplete && !known.protocols.isEmpty }
}

extension String {
  /// The limit on the number of enclosing types to search for a declaration.
  private static let depthLimit = 100
  private static let endLimit = 8

  /// Returns the full names that this name can have in a type or module, from the innermost scope
  /// outward, as in the compiler's lookup.
  func candidates(in scope: String) -> some Sequence<String> {
    let around = scope.split(separator: ".", maxSplits: Self.depthLimit).prefix(Self.depthLimit)
    return (0..<around.count).lazy.map { depth in (around.dropLast(depth) + [self[...]]).joined(separator: ".") }
  }

  /// The parts of a plain name after each of its last eight dots, shortest first.
  var ends: [Substring] {
    var ends: [Substring] = []
    var rest = isPlainName ? self[...] : ""
    while ends.count < Self.endLimit, let dot = rest.lastIndex(of: ".") {
      ends.append(self[index(after: dot)...])
      rest = rest[..<dot]
    }
    return ends
  }
}
