/// The names that images use to refer to each other when they're loaded together.
///
/// The names omit folders, because loaders search for libraries at run time.
package struct Linkage: Sendable, Equatable {
  /// The name that other images use to link the image; nil if it has none.
  var name: String?
  var libraries: [String] = []
}

extension String {
  var lastPathComponent: String { after(lastIndex(of: "/")) }
  var lastName: String { after(lastIndex(of: ".")) }
  var withoutModule: String { after(firstIndex(of: ".")) }

  private func after(_ separator: Index?) -> String { separator.map { String(self[index(after: $0)...]) } ?? self }
}
