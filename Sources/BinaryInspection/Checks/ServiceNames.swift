import Registry

extension Inspection {
  /// Returns a resolver of the names in images of one architecture.
  func serviceNames(of family: [InspectedImage]) -> ServiceNames {
    ServiceNames(classes?[family[0].family] ?? ClassInventory.Known())
  }
}

/// A resolver that maps the recorded names of services to the protocols that the files declare.
///
/// A macro records a name as in the source, such as `CartService`. Two modules can each have a
/// protocol of this name, and one protocol can be spelled in two ways. Like Swift, the resolver
/// searches the types around the class first, then its module, and then the imported modules.
final class ServiceNames {
  private let known: ClassInventory.Known
  private lazy var protocols = known.protocols.mapValues(Array.init)
  private lazy var types = Dictionary(grouping: known.swift, by: \.lastName)
  /// The reversed and sorted names, by the last component that many of them share.
  private var backwards: (protocols: [String: [[UInt8]]], types: [String: [[UInt8]]]) = ([:], [:])

  /// The largest number of names with one last component that are searched linearly.
  private static let fewNames = 16

  init(_ known: ClassInventory.Known) {
    self.known = known
  }

  /// Returns the properties that are equal in records for the same service.
  ///
  /// The first property is the full name of the protocol, or the name as written if no file
  /// declares it. If several protocols match, the second property is the module of the class.
  func meaning(of placed: ImageRecord) -> [String?] {
    let contents = placed.contents
    guard let written = contents.target, placed.record.hasAccessor else {
      // Records without an accessor contain the full name.
      return [contents.target, nil]
    }
    switch resolve(written, in: contents.type) {
    case .declared(let full): return [full, nil]
    case .ambiguous: return [written, contents.type.map { String($0.prefix { $0 != "." }) }]
    case .unknown: return [written, nil]
    }
  }

  /// The declaration that a name in a source file refers to.
  enum Resolution {
    /// The full name of the only declaration that the name can refer to.
    case declared(String)
    /// The name can refer to several declarations.
    case ambiguous
    /// No file declares the name, for example because it is a type alias.
    case unknown
  }

  /// Returns the declaration that a name refers to.
  ///
  /// - Parameters:
  ///   - written: The name as the source spells it.
  ///   - scope: The full name of the type around the name, or the name of its module.
  func resolve(_ written: String, in scope: String?) -> Resolution {
    if let full = nearest(written, in: scope) ?? nearest(written, in: nil) { return .declared(full) }
    return imported(written, protocols, &backwards.protocols)
  }

  /// Returns the type that a name refers to, which is not a protocol.
  ///
  /// - Parameters:
  ///   - type: The name as the source spells it.
  ///   - scopes: The names of the type around the name.
  func resolve(type: String, in scopes: [String?]) -> Resolution {
    for scope in scopes + [nil] {
      if let full = nearest(type, in: scope) { return .declared(full) }
    }
    return imported(type, types, &backwards.types)
  }

  private func nearest(_ written: String, in scope: String?) -> String? {
    guard let scope else { return isDeclared(written) ? written : nil }
    return written.candidates(in: scope).first(where: isDeclared)
  }

  /// A Boolean value that indicates whether the types of all files are known.
  var isComplete: Bool { known.hasAllProtocols && known.withoutSwift.isEmpty && !known.protocols.isEmpty }

  /// A Boolean value that indicates whether types of the files are known.
  var hasTypes: Bool { !known.swift.isEmpty }

  func isDeclared(_ name: String) -> Bool {
    known.swift.contains(name) || known.protocols[name.lastName]?.contains(name) == true
  }

  /// Returns the declaration in another module or type that a name can refer to.
  ///
  /// - Parameters:
  ///   - all: The declarations by the last components of their names.
  ///   - backwards: Their reversed and sorted names, by the last component that many of them share.
  private func imported(
    _ written: String, _ all: [String: [String]], _ backwards: inout [String: [[UInt8]]]
  ) -> Resolution {
    let (last, end) = (written.lastName, ".\(written)")
    guard let all = all[last] else { return .unknown }
    let found: [String]
    if all.count <= Self.fewNames {
      found = all.filter { $0.hasSuffix(end) }
    } else {
      let names =
        backwards[last] ?? all.map { $0.utf8.reversed() }.sorted { $0.lexicographicallyPrecedes($1) }
      backwards[last] = names
      let start = Array(end.utf8.reversed())
      let first = names.firstSortedIndex { !$0.lexicographicallyPrecedes(start) }
      found = names[first...].prefix(2).filter { $0.starts(with: start) }.map {
        String(decoding: $0.reversed(), as: UTF8.self)
      }
    }
    guard let first = found.first else { return .unknown }
    return found.count == 1 ? .declared(first) : .ambiguous
  }
}

extension String {
  /// The largest number of types around a name that are searched for its declaration.
  private static let depthLimit = 100

  /// Returns the full names that this name can have in a type or a module, as the compiler searches
  /// them: the innermost first.
  func candidates(in scope: String) -> some Sequence<String> {
    let around = scope.split(separator: ".", maxSplits: Self.depthLimit).prefix(Self.depthLimit)
    return (0..<around.count).lazy.map { depth in (around.dropLast(depth) + [self[...]]).joined(separator: ".") }
  }
}
