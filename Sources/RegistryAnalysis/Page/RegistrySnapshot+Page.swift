import AnalysisPage
public import Foundation

extension RegistrySnapshot {
  /// Returns the snapshot as an HTML page that loads no other files.
  ///
  /// ```swift
  /// let page = try modules.snapshot().html(title: "Shop 4.2", trace: timeline.chromeTrace())
  /// ```
  ///
  /// - Parameters:
  ///   - title: The heading of the page. The default is the name of the first process.
  ///   - trace: The trace of a launch, from `LifecycleTimeline.chromeTrace()`.
  /// - Throws: An error that describes the problem if the trace is damaged.
  public func html(title: String? = nil, trace: Data? = nil) throws -> String {
    try html(title: title, trace: trace, changes: [String]?.none)
  }

  /// Returns the page with the changes since another snapshot.
  ///
  /// - Parameters:
  ///   - path: The name of the trace in errors.
  ///   - changes: The rows of a `RegistryDifference`.
  package func html(
    title: String? = nil, trace: Data? = nil, at path: String = "trace", changes: [some Encodable]?
  ) throws -> String {
    var launch = try trace.map { try LaunchTrace(json: $0, file: path) }
    launch?.arrange()
    let data = PageData(
      title: title ?? processes.first?.name ?? "Registrations", snapshot: self, launch: launch, changes: changes)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var page = String(cString: analysis_page())
    for (reference, contents) in [
      (#"<link rel="stylesheet" href="page.css">"#, "<style>\(String(cString: analysis_page_style()))</style>"),
      (#"<script src="page.js"></script>"#, "<script>\(String(cString: analysis_page_script()))</script>"),
      // Insert the data last, because it can contain any text.
      ("{}</script>", "\(Self.escaped(try encoder.encode(data)))</script>"),
    ] {
      // The standard library's `replace` needs iOS 16.
      if let range = page.range(of: reference) { page.replaceSubrange(range, with: contents) }
    }
    return page
  }

  /// Returns JSON with an escape for `<`, which is the only special character in a script element.
  /// It begins the end tag and, in `<!--`, a comment that hides that tag.
  package static func escaped(_ json: Data) -> String {
    String(decoding: json, as: UTF8.self).replacingOccurrences(of: "<", with: #"\u003C"#)
  }
}

/// The data of the page, which the page's script lays out.
private struct PageData<Change: Encodable>: Encodable {
  var title: String
  var snapshot: RegistrySnapshot
  var launch: LaunchTrace?
  var changes: [Change]?
}
