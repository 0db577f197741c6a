import Registry

/// Which type the name of a service stands for, as far as the metadata of the files tells.
///
/// A macro writes down what stands in the source, `CartService`, which in two modules may be two protocols, and one protocol may be
/// spelt in two ways. Where the name leads is found by Swift's rule: the types around the class come first, then its module, then
/// what is imported.
final class ServiceNames {
  private let known: ClassInventory.Known
  /// Where many protocols have the same last name: their names from the end on, sorted.
  private var backwards: [String: [[UInt8]]] = [:]

  /// In how many types a class may be that are asked for a protocol.
  private static let depthLimit = 100
  /// How many protocols of one last name are gone through one by one.
  private static let fewNames = 16

  init(_ known: ClassInventory.Known) {
    self.known = known
  }

  /// What must be the same of two records if they are for one service.
  ///
  /// The full name; the name as it is written if no file declares it; that and the module if there are several of that name and none
  /// of them is nearer.
  func meaning(of placed: ImageRecord) -> [String?] {
    let contents = placed.contents
    guard let written = contents.service, placed.record.hasAccessor else {
      // What is no code's is spelt in full.
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

  /// The protocols in other modules or types that a name may be, two at most.
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
