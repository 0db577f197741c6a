// Fuzzes the readers of services' and modules' attributes against a description of valid attributes
// for Foundation's reading of the same object. Both must accept the same objects, and read the same
// values from them.

import Foundation
import Lifecycle
import Registry

func fuzzAttributes(_ bytes: UnsafeRawBufferPointer) {
  // Foundation drops a byte order mark before a string, so with one before a key it reads another
  // key.
  guard !bytes.indices.contains(where: { bytes[$0...].starts(with: [0xef, 0xbb, 0xbf]) }) else { return }
  var object: [String: Any] = [:]
  switch FoundationJSON(bytes) {
  case .undecided: return
  case .refused: break
  case .object(let found):
    // The fuzzer `json` checks what the reader accepts.
    var reader = JSONReader(bytes)
    guard (try? reader.skip()) != nil, (try? reader.end()) != nil else { return }
    // Foundation reads most integers of 19 digits like fractions.
    guard !(found["priority"] is NSDecimalNumber) else { return }
    object = found
  }
  compare("service", bytes, with: try? service(object)) { () throws(JSONError) in
    let read = try ServiceAttributes(bytes)
    return [
      read.service.string, read.implementation.string, read.name, "\(read.priority)", "\(read.scope)",
      "\(read.separateInstance)", read.replaces, read.replacesType, read.condition?.description,
      read.build?.description,
    ]
  }
  compare("module", bytes, with: try? module(object)) { () throws(JSONError) in
    let read = try ModuleAttributes(bytes)
    return [
      read.module, "\(read.level)", "\(read.priority)", "\(read.afterNeeds)", "\(read.activation)",
      "\(read.initialization)", "\(read.replaysMissedPhases)", "\(read.after.count)",
    ] + read.after + read.afterTypes
  }
}

/// Compares the values that the library reads with the expected ones; nil for an invalid object.
private func compare(
  _ what: String, _ bytes: UnsafeRawBufferPointer, with expected: [String?]?,
  _ read: () throws(JSONError) -> [String?]
) {
  var problem = "accepted"
  var found: [String?]?
  do throws(JSONError) { found = try read() } catch { problem = "\(error)" }
  let agrees =
    found?.count == expected?.count
    && zip(found ?? [], expected ?? []).allSatisfy { $0 == nil ? $1 == nil : $1.map($0!.isExactly) ?? false }
  require(agrees, "a \(what) (\(problem)) is read as \(found ?? []), not as \(expected ?? [])")
}

// MARK: - Valid attributes

private struct Invalid: Error {}

/// Returns a member of the expected type, or nil if the object has no such member.
private func member<Value>(_ object: [String: Any], _ key: String, _ convert: (Any) -> Value?) throws -> Value? {
  guard let value = object[key] else { return nil }
  guard let converted = convert(value) else { throw Invalid() }
  return converted
}

private func text(_ object: [String: Any], _ key: String) throws -> String? {
  try member(object, key) { $0 as? String }
}

private func texts(_ object: [String: Any], _ key: String) throws -> [String] {
  try member(object, key) { $0 as? [String] } ?? []
}

private func boolean(_ object: [String: Any], _ key: String) throws -> Bool {
  try member(object, key) { FoundationJSON.isBoolean($0) ? $0 as? Bool : nil } ?? false
}

private func name(_ object: [String: Any], _ key: String) throws -> String {
  guard let text = try text(object, key), !text.isEmpty else { throw Invalid() }
  return text
}

/// Returns a text that must be one of some words, or a name in parentheses after another word.
private func word(_ object: [String: Any], _ key: String, _ words: [String], or form: String? = nil) throws -> String? {
  guard let text = try text(object, key) else { return nil }
  let isForm = form.map { text.utf8.starts(with: "\($0)(".utf8) && text.utf8.count > $0.utf8.count + 2 } ?? false
  guard words.contains(where: text.isExactly) || isForm && text.utf8.last == UInt8(ascii: ")") else { throw Invalid() }
  return text
}

private func service(_ object: [String: Any]) throws -> [String?] {
  let condition = try word(object, "when", ["debug", "release", "preview", "test"], or: "flag")
  let build = try word(object, "build", ["debug", "release"])
  if build == nil, condition == "debug" || condition == "release" { throw Invalid() }
  return [
    try name(object, "protocol"), try name(object, "class"), try text(object, "name"),
    "\(try member(object, "priority", FoundationJSON.integer) ?? 0)",
    try word(object, "scope", ["transient", "shared", "weak"], or: "cached") ?? "transient",
    "\(try boolean(object, "separateInstance"))", try text(object, "replaces"), try text(object, "replacesType"),
    condition, build,
  ]
}

private func module(_ object: [String: Any]) throws -> [String?] {
  let after = try texts(object, "after"), afterTypes = try texts(object, "afterTypes")
  return [
    try name(object, "module"), try word(object, "level", ["basic", "normal"]) ?? "normal",
    "\(try member(object, "priority", FoundationJSON.integer) ?? 0)", "\(try boolean(object, "afterNeeds"))",
    try word(object, "activation", ["atLaunch", "onFirstEvent"]) ?? "atLaunch",
    try word(object, "initialization", ["inStart", "inNextTurn"]) ?? "inStart",
    "\(try boolean(object, "catchUp"))", "\(after.count)",
  ] + after + afterTypes
}
