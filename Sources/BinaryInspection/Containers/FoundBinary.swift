/// A binary of one architecture, and where it was found.
package struct FoundBinary {
  /// The file; of an app or a framework, the one in its folder.
  package let path: String
  /// The name of the member in an archive, such as `"Cart.o"`.
  package let member: String?
  package let object: any ObjectFile
}
