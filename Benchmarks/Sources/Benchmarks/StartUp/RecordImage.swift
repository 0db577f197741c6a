import Foundation

/// An image of generated C records.
enum RecordImage {
  /// The way that module records refer to classes.
  enum Classes: String {
    /// A single accessor for all modules, which calls a function in the program.
    ///
    /// All modules have the same class but different names.
    case one
    /// The name of the class, as in C records. The Swift image of the same size contains the
    /// classes.
    case named
  }

  /// Creates an image with a number of services and modules, in no particular order.
  ///
  /// - Parameter first: The number of the first service and module, for one of several images.
  static func make(_ count: Int, _ classes: Classes, from first: Int = 0) throws -> String {
    try Images.file("records-\(classes)-\(count)\(first == 0 ? "" : "-\(first)").so") { file, scratch in
      let records = scratch.appendingPathComponent("records.s")
      try Data(text(count, classes, first).utf8).write(to: records)
      try Images.compile(
        [Images.source("begin.s"), records.path, Images.source("end.s"), Images.source("accessor.c")], to: file,
        flags: ["-shared"])
    }
  }

  /// Returns the name of a numbered module.
  ///
  /// All names have the same length, so that names and numbers sort in the same order.
  static func module(_ number: Int, _ classes: Classes) -> String {
    let digits = String(String(1_000_000 + number).dropFirst())
    return classes == .one ? "Records.Module\(digits)" : "StartUp.Module\(digits)"
  }

  private static func text(_ count: Int, _ classes: Classes, _ first: Int) -> String {
    var text = ".section .note.registry,\"aw\",%note\n.balign 8\n"
    for index in 0..<count {
      // The sequence reaches all numbers, because the factor is prime and no count is a multiple of
      // it.
      let number = first + index * 7_919 % count
      record(
        &text, "serv", #"{"protocol":"Records.Service\#(number)","class":"Records.Class\#(number)","scope":"shared"}"#,
        accessor: "0")
      record(
        &text, "modu", #"{"module":"\#(module(number, classes))"}"#,
        accessor: classes == .one ? "benchmark_accessor" : "0")
    }
    // Add the record of the service that is looked up.
    if first == 0 {
      record(&text, "serv", #"{"protocol":"Benchmarks.Findable","class":"Benchmarks.Found"}"#, accessor: "0")
    }
    return text
  }

  /// Appends a record like the ones that the C export macros create.
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
