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
  /// The reversed and sorted names of protocols, by the last component that many of them share.
  private var backwards: [String: [[UInt8]]] = [:]

  /// The largest number of types around a class that are searched for a protocol.
  private static let depthLimit = 100
  /// The largest number of protocols with one last component that are searched linearly.
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
    guard let written = contents.service, placed.record.hasAccessor else {
      // Records without an accessor contain the full name.
      return [contents.service, nil]
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
    var around = scope?.split(separator: ".", maxSplits: Self.depthLimit).prefix(Self.depthLimit).map(String.init) ?? []
    while !around.isEmpty {
      let full = (around + [written]).joined(separator: ".")
      if isDeclared(full) { return .declared(full) }
      around.removeLast()
    }
    if isDeclared(written) { return .declared(written) }
    let imported = imported(written)
    guard let first = imported.first else { return .unknown }
    return imported.count == 1 ? .declared(first) : .ambiguous
  }

  /// A Boolean value that indicates whether the types of all files are known.
  var isComplete: Bool { known.hasAllProtocols && known.withoutSwift.isEmpty && !known.protocols.isEmpty }

  /// Returns at most two of the protocols in other modules or types that a name can refer to.
  private func imported(_ written: String) -> [String] {
    let (last, end) = (written.lastName, ".\(written)")
    guard let all = known.protocols[last] else { return [] }
    if all.count <= Self.fewNames { return all.filter { $0.hasSuffix(end) } }
    if backwards[last] == nil {
      backwards[last] = all.map { $0.utf8.reversed() }.sorted { $0.lexicographicallyPrecedes($1) }
    }
    let (names, start) = (backwards[last] ?? [], Array(end.utf8.reversed()))
    let first = names.firstSortedIndex { !$0.lexicographicallyPrecedes(start) }
    return names[first...].prefix(2).filter { $0.starts(with: start) }.map {
      String(decoding: $0.reversed(), as: UTF8.self)
    }
  }

  private func isDeclared(_ name: String) -> Bool {
    known.swift.contains(name) || known.protocols[name.lastName]?.contains(name) == true
  }
}
