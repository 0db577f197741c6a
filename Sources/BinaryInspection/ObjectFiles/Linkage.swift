/// The names by which images that are loaded together refer to each other.
///
/// The names omit folders, because loaders search for libraries at run time.
package struct Linkage: Sendable, Equatable {
  /// The name by which other images link the image; nil if it has none.
  var name: String?
  var libraries: [String] = []
}

extension String {
  var lastPathComponent: String { lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? self }
}
