/// A binary of one architecture, and where it was found.
struct FoundBinary {
  /// The file; of an app or a framework, the one in its folder.
  let path: String
  /// Of an archive, the member: `"Cart.o"`.
  let member: String?
  let object: any ObjectFile
}
