/// A binary of one architecture, and its location.
package struct FoundBinary {
  /// The path of the file, also if the caller passed a folder that contains it.
  package let path: String
  /// The name of the member in an archive; nil outside of archives.
  ///
  /// An example is `"Cart.o"`.
  package let member: String?
  package let object: any ObjectFile
}
