// Fuzzes the readers of services' and modules' records against Foundation. Foundation must read the
// same values from each accepted record, and each record that is valid according to Foundation must
// be accepted.

import Foundation
import Registry

/// Returns the member of a Foundation object with exactly this key.
private func member(_ object: [String: Any], _ name: String) -> Any? {
  object.first { $0.key.isExactly(name) }?.value
}

private func isSame(_ a: String?, _ b: String?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return a.isExactly(b)
}

/// Returns a member that must be a string.
///
/// - Returns: `.some(nil)` if the member is missing, and `nil` if it has another type.
private func text(_ object: [String: Any], _ name: String) -> String?? {
  guard let value = member(object, name) else { return .some(nil) }
  return (value as? String).map { .some($0) }
}

/// Returns a member that must be a 64-bit integer.
///
/// - Returns: Zero if the member is missing, and `nil` if it has another type.
private func integer(_ object: [String: Any], _ name: String) -> Int? {
  guard let value = member(object, name) else { return 0 }
  guard !isBoolean(value), let number = value as? NSNumber, !isFraction(number) else { return nil }
  return Int("\(number)")
}

private func checkService(_ bytes: UnsafeRawBufferPointer, _ view: FoundationView) {
  do throws(JSONError) {
    let read = try ServiceAttributes(bytes)
    if case .refused(let problem) = view { broken("a service, and not to Foundation: \(problem)", bytes) }
    guard case .object(let object) = view, isComparable(object, bytes) else { return }
    let agrees =
      isSame(read.service.string, text(object, "protocol") ?? nil)
      && isSame(read.implementation.string, text(object, "class") ?? nil)
      && isSame(read.name, text(object, "name") ?? nil) && priorityAgrees(read.priority, object)
      && isSame(read.scope.description, (text(object, "scope") ?? nil) ?? "transient")
      && isSame(read.replaces, text(object, "replaces") ?? nil)
      && isSame(read.condition?.description, text(object, "when") ?? nil)
    if !agrees || read.service.isEmpty || read.implementation.isEmpty {
      broken("read as \(read), not \(object)", bytes)
    }
  } catch {
    guard case .object(let object) = view, isComparable(object, bytes),
      case .some(.some(let service)) = text(object, "protocol"), !service.isEmpty,
      case .some(.some(let implementation)) = text(object, "class"), !implementation.isEmpty,
      text(object, "name") != nil, integer(object, "priority") != nil, case .some(let scope) = text(object, "scope"),
      ["transient", "shared", "weak", nil].contains(where: { isSame($0, scope) }),
      member(object, "separateInstance").map(isBoolean) ?? true,
      text(object, "replaces") != nil, text(object, "replacesType") != nil,
      member(object, "build") == nil, case .some(let condition) = text(object, "when"),
      ["preview", "test", nil].contains(where: { isSame($0, condition) })
    else { return }
    broken("a service in order is refused: \(error)", bytes)
  }
}

private func checkModule(_ bytes: UnsafeRawBufferPointer, _ view: FoundationView) {
  do throws(JSONError) {
    let read = try ModuleAttributes(bytes)
    if case .refused(let problem) = view { broken("a module, and not to Foundation: \(problem)", bytes) }
    guard case .object(let object) = view, isComparable(object, bytes) else { return }
    let after = member(object, "after") as? [String] ?? []
    let agrees =
      isSame(read.module, text(object, "module") ?? nil) && priorityAgrees(read.priority, object)
      && isSame(read.level.rawValue, (text(object, "level") ?? nil) ?? "normal")
      && after.count == read.after.count && zip(after, read.after).allSatisfy { isSame($0, $1) }
    if !agrees || read.module.isEmpty { broken("read as \(read), not \(object)", bytes) }
  } catch {
    guard case .object(let object) = view, isComparable(object, bytes),
      case .some(.some(let module)) = text(object, "module"), !module.isEmpty,
      integer(object, "priority") != nil, member(object, "after").map({ $0 is [String] }) ?? true,
      case .some(let level) = text(object, "level"), ["basic", "normal", nil].contains(where: { isSame($0, level) })
    else { return }
    broken("a module in order is refused: \(error)", bytes)
  }
}

private func priorityAgrees(_ priority: Int, _ view: [String: Any]) -> Bool {
  guard let value = member(view, "priority") else { return priority == 0 }
  return !isBoolean(value) && (value as? NSNumber)?.int64Value == Int64(priority)
}

/// Returns a Boolean value that indicates whether Foundation's object has all members that the
/// reader finds.
///
/// The fuzzer of the reader reports where the two differ. Foundation's dictionary drops one of two
/// keys that are canonically equivalent.
private func isComparable(_ object: [String: Any], _ bytes: UnsafeRawBufferPointer) -> Bool {
  var count = 0
  do throws(JSONError) {
    var reader = JSONReader(bytes)
    try reader.object { reader, _ throws(JSONError) in
      count += 1
      try reader.skip()
    }
    try reader.end()
  } catch {
    return false
  }
  return count == object.count
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: size)
  var view = FoundationView.undecided
  // Foundation drops a byte order mark before a string, so with one before a key it reads another
  // key. Bytes without a brace contain no object, so Foundation need not read them.
  if !bytes.contains(UInt8(ascii: "{")) {
    view = .refused("no brace")
  } else if !bytes.indices.contains(where: { bytes[$0...].starts(with: [0xef, 0xbb, 0xbf]) }) {
    view = FoundationView(bytes)
  }
  checkService(bytes, view)
  checkModule(bytes, view)
  return 0
}
