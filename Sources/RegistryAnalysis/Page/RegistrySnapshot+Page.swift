import AnalysisPage
public import Foundation

extension RegistrySnapshot {
  /// Returns the snapshot as a page for browsers, in one file that loads nothing else.
  ///
  /// ```swift
  /// let page = try modules.snapshot().html(title: "Shop 4.2", trace: timeline.chromeTrace())
  /// ```
  ///
  /// - Parameters:
  ///   - title: The heading of the page. By default, it is the name of the process.
  ///   - trace: The trace of a launch, as the timeline of `LifecycleTracing` writes it.
  /// - Throws: An error that describes the problem of a damaged trace.
  public func html(title: String? = nil, trace: Data? = nil) throws -> String {
    try html(title: title, trace: trace, changes: [String]?.none)
  }

  /// Returns the page with the changes since another snapshot.
  ///
  /// - Parameter changes: The rows of a `RegistryDifference`.
  package func html(title: String? = nil, trace: Data? = nil, changes: [some Encodable]?) throws -> String {
    let data = PageData(
      title: title ?? processes.first?.name ?? "Registrations", snapshot: self,
      graphs: processes.map(ProcessGraphs.init),
      launch: try trace.map { LaunchChart(try LaunchTrace(json: $0, file: "trace")) }, changes: changes)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var page = String(cString: analysis_page())
    for (reference, contents) in [
      (#"<link rel="stylesheet" href="page.css">"#, "<style>\(String(cString: analysis_page_style()))</style>"),
      (#"<script src="page.js"></script>"#, "<script>\(String(cString: analysis_page_script()))</script>"),
      // The data comes last, because it can contain any text.
      ("{}</script>", "\(Self.escaped(try encoder.encode(data)))</script>"),
    ] {
      // The standard library's `replace` needs iOS 16.
      if let range = page.range(of: reference) { page.replaceSubrange(range, with: contents) }
    }
    return page
  }

  /// Returns JSON without characters that have a meaning in HTML or end a line of a script.
  package static func escaped(_ json: Data) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(json.count + json.count / 16)
    // The last two bytes.
    var (first, second): (UInt8, UInt8) = (0, 0)
    for byte in json {
      switch (first, second, byte) {
      case (_, _, UInt8(ascii: "<")): text += #"\u003C"#.utf8
      case (_, _, UInt8(ascii: ">")): text += #"\u003E"#.utf8
      case (_, _, UInt8(ascii: "&")): text += #"\u0026"#.utf8
      // U+2028 and U+2029 in UTF-8.
      case (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9):
        text.removeLast(2)
        text += (byte == 0xA8 ? #"\u2028"# : #"\u2029"#).utf8
      default: text.append(byte)
      }
      (first, second) = (second, byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
