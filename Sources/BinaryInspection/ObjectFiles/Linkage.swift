/// The names by which images that are loaded together refer to each other.
///
/// The names are those of files, without folders, because loaders search the folders at run time.
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

extension ELFFile {
  /// The names in the dynamic section.
  ///
  /// They are empty if they cannot be read, because records do not depend on them.
  var linkage: Linkage {
    guard !isObject, let dynamic = try? dynamicSection() else { return Linkage() }
    // Names can overlap in a file, so all of them together can be far longer than the file.
    var left = view.size
    var linkage = Linkage()
    var seen: Set<UInt64> = []
    for (offset, isOwn) in dynamic.libraries.map({ ($0, false) }) + (dynamic.ownName.map { [($0, true)] } ?? []) {
      guard let strings = dynamic.strings, offset < strings.size, isOwn || seen.insert(offset).inserted
      else { continue }
      // A name that is not terminated is as long as a name can be. Do not read others after it.
      guard let name = try? cString(at: strings.address &+ offset, "the name of a library"), name.utf8.count < left
      else { break }
      left -= UInt64(name.utf8.count) + 1
      if isOwn { linkage.name = name.lastPathComponent } else { linkage.libraries.append(name.lastPathComponent) }
    }
    return linkage
  }
}
