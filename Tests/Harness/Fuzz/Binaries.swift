// Fuzzes the reader of binaries with arbitrary bytes: universal files, Mach-O, ELF, and archives,
// and their sections, pointers, type names, and records. The results must lie within the bytes,
// must be the same when they are requested again, and must not be larger than the bytes allow.

import Foundation

@testable import BinaryInspection

/// Returns the result of a closure, or the error that it throws.
private func result<Value>(_ body: () throws(InspectionProblem) -> Value) -> Result<Value, InspectionProblem> {
  do throws(InspectionProblem) { return .success(try body()) } catch { return .failure(error) }
}

/// Checks that an error has an offset in the file and a description of limited length.
private func check(_ error: InspectionProblem, _ size: Int) {
  if let offset = error.offset { require(offset <= UInt64(size), "an error at \(offset) of \(size) bytes: \(error)") }
  require(!error.text.isEmpty && error.description.utf8.count < 4_096 + 4 * size, "an error: \(error.text.count)")
}

private func check<Value: Equatable>(
  _ size: Int, _ what: String, _ body: () throws(InspectionProblem) -> Value
) -> Value? {
  let (first, second) = (result(body), result(body))
  require(first == second, "\(what) is \(first), and then \(second)")
  switch first {
  case .success(let value): return value
  case .failure(let error):
    check(error, size)
    return nil
  }
}

private func check(_ section: Section, _ view: BinaryView) {
  guard let offset = section.offset else { return }
  require(
    offset <= view.size && section.size <= view.size - offset,
    "the section \(section.name) has \(section.size) bytes at \(offset) of \(view.size)")
}

private func check(_ object: any ObjectFile, _ size: Int) {
  let view = object.view
  require(object.sections.count <= size, "\(object.sections.count) sections in \(size) bytes")
  for section in object.sections { check(section, view) }
  var end: UInt64 = 0
  for section in object.recordSections.sorted(by: { ($0.offset ?? 0) < ($1.offset ?? 0) }) {
    check(section, view)
    guard let offset = section.offset, section.size > 0 else { continue }
    require(offset >= end, "sections of records overlap at \(offset)")
    end = offset + section.size
    _ = check(size, "a section of records") { () throws(InspectionProblem) in
      try object.map.bytes(at: section.address, section.size, "it")
    }
  }
  // These are some addresses in some sections, and addresses that no section contains.
  var places: [UInt64] = [0, 1, .max, .max - 3]
  for section in object.sections.prefix(32) {
    let last = section.address &+ section.size
    places += [section.address, section.address &+ 1, section.address &+ 8, last &- 8, last &- 4, last &- 1, last]
  }
  for place in places {
    let pointer = check(size, "a pointer") { () throws(InspectionProblem) in try object.pointer(at: place) }
    if case .symbol(let name, _)? = pointer {
      require(name.utf8.count <= 4 * size, "a symbol of \(name.utf8.count) bytes in \(size)")
    }
    _ = check(size, "a relative pointer") { () throws(InspectionProblem) in try object.relativePointer(at: place) }
    let bytes = check(size, "bytes") { () throws(InspectionProblem) in try object.map.bytes(at: place, 5, "it") }
    require(bytes == nil || bytes?.count == 5, "\(bytes?.count ?? 0) bytes instead of 5")
    _ = check(size, "text") { () throws(InspectionProblem) in try object.map.cString(at: place, "it") }
  }
  for kind in MetadataReader.Kind.allCases {
    let names = check(size, "\(kind)") { () throws(InspectionProblem) in
      var reader = MetadataReader(object)
      return try reader.names(of: kind)
    }
    // A byte that is not valid UTF-8 becomes three bytes. The constant allows for small files.
    let length = names.map { ($0 ?? []).reduce(0) { $0 + $1.utf8.count } } ?? 0
    require(length <= 3 * size + 200_000, "names of \(length) bytes in \(size)")
  }
}

/// Checks that the list of the records is JSON, and that no output is much longer than the file.
private func check(_ finding: BinaryFinder.Finding, _ size: Int) {
  func read() -> Inspection { Inspection(of: ["file"], readsClasses: false) { _, report in report(finding) } }
  let inspection = read()
  require(inspection.images == read().images, "an image is different when it is read again")
  require(inspection.recordCount <= size / 24, "\(inspection.recordCount) records in \(size) bytes")
  guard inspection.recordCount > 0 || !inspection.problems.isEmpty else { return }
  var list = ""
  inspection.writeList { list += $0 }
  require((try? JSONSerialization.jsonObject(with: Data(list.utf8))) != nil, "the list is no JSON: \(list)")
  // The fuzzer has one thread.
  let (all, graph) = MainActor.assumeIsolated {
    var graph = ""
    for format in GraphFormat.allCases { inspection.writeGraph(format) { graph += $0 } }
    return (inspection.check(), graph)
  }
  require(all.count <= size, "\(all.count) problems in \(size) bytes")
  for text in [list, graph] { require(text.utf8.count < 100_000 + 100 * size, "\(text.utf8.count) bytes of \(size)") }
}

func fuzzBinaries(_ bytes: UnsafeRawBufferPointer) {
  let count = bytes.count
  let file = BinaryView(FileBytes(Array(bytes), path: "file"))
  var number = 0
  do throws(InspectionProblem) {
    try BinaryFinder().search(file, "file", isNamed: true) { finding in
      number += 1
      switch finding {
      case .found(let object, _, _):
        check(object, count)
        check(finding, count)
      case .problem(let problem, _): check(problem, count)
      }
    }
  } catch {
    check(error, count)
  }
  require(number <= count, "\(number) findings in \(count) bytes")
}
