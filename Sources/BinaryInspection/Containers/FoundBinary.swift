/// A binary of one architecture, and where it was found.
package struct FoundBinary {
  /// The file; of an app or a framework, the one in its folder.
  package let path: String
  /// Of an archive, the member: `"Cart.o"`.
  package let member: String?
  package let object: any ObjectFile
}
