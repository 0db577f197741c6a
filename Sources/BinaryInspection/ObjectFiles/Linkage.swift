/// The names by which images that are loaded together refer to each other.
///
/// File names without folders, because loaders search the folders at run time.
package struct Linkage: Sendable, Equatable {
  /// The name by which other images link the image; nil if it states none.
  var name: String?
  /// The names of the libraries that the image links.
  var libraries: [String] = []
}

extension String {
  /// The part of a path after the last slash.
  var lastPathComponent: String { lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? self }
}
