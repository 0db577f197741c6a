import Registry

/// Which type the name of a service stands for, as far as the metadata of the files tells.
///
/// A macro writes down what stands in the source, `CartService`, which in two modules may be two protocols, and one protocol may be
/// spelt in two ways. Where the name leads is found by Swift's rule: the types around the class come first, then its module, then
/// what is imported.
struct ServiceNames {
  private let known: ClassInventory.Known

  init(_ known: ClassInventory.Known) {
    self.known = known
  }

  /// What must be the same of two records if they are for one service.
  ///
  /// The full name; the name as it is written if no file declares it; that and the module if there are several of that name and none
  /// of them is nearer.
  func meaning(of placed: PlacedRecord) -> [String?] {
    let contents = placed.contents
    guard let written = contents.service, placed.record.hasAccessor else {
      // What is no code's is spelt in full.
      return [contents.service, nil]
    }
    var around = contents.type?.split(separator: ".").map(String.init) ?? []
    while !around.isEmpty {
      let full = (around + [written]).joined(separator: ".")
      if isDeclared(full) { return [full, nil] }
      around.removeLast()
    }
    if isDeclared(written) { return [written, nil] }
    let imported = known.protocols[written.lastName, default: []].filter { $0.hasSuffix(".\(written)") }
    guard imported.count > 1 else { return [imported.first ?? written, nil] }
    return [written, contents.type.map { String($0.prefix { $0 != "." }) }]
  }

  private func isDeclared(_ name: String) -> Bool {
    known.swift.contains(name) || known.protocols[name.lastName]?.contains(name) == true
  }
}
