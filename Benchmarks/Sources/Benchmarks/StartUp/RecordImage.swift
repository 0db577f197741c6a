import Foundation

/// An image of generated C records.
enum RecordImage {
  /// How the modules' records tell their class.
  enum Classes: String {
    /// By one accessor for all of them, which the program is asked for: as many modules as one likes, under names of their own,
    /// are of one class.
    case one
    /// By its name, as C records do: the classes are in the Swift image of that size.
    case named
  }

  /// Makes an image with so many services and so many modules, the modules' names not in order.
  static func make(_ count: Int, _ classes: Classes) throws -> String {
    try Images.file("records-\(classes)-\(count).so") { file, scratch in
      let records = scratch.appendingPathComponent("records.s")
      try Data(text(count, classes).utf8).write(to: records)
      try Images.compile(
        [Images.source("begin.s"), records.path, Images.source("end.s"), Images.source("accessor.c")], to: file,
        flags: ["-shared"])
    }
  }

  /// The module with a number. Of one length, so that the order of names is that of numbers.
  static func module(_ number: Int, _ classes: Classes) -> String {
    let digits = String(String(1_000_000 + number).dropFirst())
    return classes == .one ? "Records.Module\(digits)" : "StartUp.Module\(digits)"
  }

  private static func text(_ count: Int, _ classes: Classes) -> String {
    var text = ".section .note.registry,\"aw\",%note\n.balign 8\n"
    for index in 0..<count {
      // Goes round all numbers, as no number of records has a part in this prime.
      let number = index * 7_919 % count
      record(
        &text, "serv", #"{"protocol":"Records.Service\#(number)","class":"Records.Class\#(number)","scope":"shared"}"#,
        accessor: "0")
      record(
        &text, "modu", #"{"module":"\#(module(number, classes))"}"#,
        accessor: classes == .one ? "benchmark_accessor" : "0")
    }
    // One that is looked up.
    record(&text, "serv", #"{"protocol":"Benchmarks.Findable","class":"Benchmarks.Found"}"#, accessor: "0")
    return text
  }

  /// Writes what `REGISTRY_EXPORT_SERVICE` and `REGISTRY_EXPORT_MODULE` compile to.
  private static func record(_ text: inout String, _ kind: String, _ json: String, accessor: String) {
    let room = (json.utf8.count + 8) / 8 * 8
    let word = kind.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    let spelled = json.replacingOccurrences(of: "\"", with: "\\\"")
    text += """
      .long 9, \(8 + room), \(word)
      .ascii "Registry\\0\\0\\0\\0"
      .quad \(accessor)
      .ascii "\(spelled)"
      .zero \(room - json.utf8.count)

      """
  }
}
