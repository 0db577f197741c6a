import Registry

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
    var around =
      contents.type?.split(separator: ".", maxSplits: Self.depthLimit).prefix(Self.depthLimit).map(String.init) ?? []
    while !around.isEmpty {
      let full = (around + [written]).joined(separator: ".")
      if isDeclared(full) { return [full, nil] }
      around.removeLast()
    }
    if isDeclared(written) { return [written, nil] }
    let imported = imported(written)
    guard imported.count > 1 else { return [imported.first ?? written, nil] }
    return [written, contents.type.map { String($0.prefix { $0 != "." }) }]
  }

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
