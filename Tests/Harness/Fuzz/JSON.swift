// Fuzzes the JSON reader against Foundation. Both must accept the same objects and read the same
// members, except for the documented differences below.

import Registry

/// Returns a Boolean value that indicates whether RecordFormat.md documents an error for which
/// Foundation has none.
private func isDocumented(_ error: JSONError, _ bytes: UnsafeRawBufferPointer) -> Bool {
  if error.message.hasPrefix("duplicate key") { return hasKeyTwice(bytes) }
  if error.message.hasPrefix("nesting deeper") { return bracketDepth(bytes) > 64 }
  return isTrailingComma(error.offset, bytes) || isOtherEncoding(bytes)
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: size)
  let tree: Tree
  do throws(JSONError) {
    tree = try Tree.object(bytes)
  } catch {
    if error.offset > size || error.offset < 0 { broken("the error is at \(error.offset) of \(size) bytes", bytes) }
    if error.description.utf8.count > 1_000 { broken("a message of \(error.description.utf8.count) bytes", bytes) }
    // Most inputs are not JSON at all. Foundation need not read an input without a brace.
    guard bytes.contains(UInt8(ascii: "{")), case .object = FoundationView(bytes) else { return 0 }
    if !isDocumented(error, bytes) { broken("refused: \(error)", bytes) }
    return 0
  }
  if tree.depth > 64 { broken("\(tree.depth) deep", bytes) }
  switch FoundationView(bytes) {
  case .object(let other):
    if !tree.agrees(with: other) { broken("read as \(tree), by Foundation as \(other)", bytes) }
  case .refused(let problem): broken("accepted, and not by Foundation: \(problem)", bytes)
  case .undecided: break
  }
  return 0
}
