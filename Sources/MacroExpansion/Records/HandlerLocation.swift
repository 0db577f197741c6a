/// The location of a macro in its file.
struct HandlerLocation {
  let module: String
  /// The location as records contain it, which is the name of a handler.
  ///
  /// An example is `Module/File.swift:12:1`. The name contains the column, because a line can
  /// contain several handlers.
  let name: String

  /// Creates the location of a macro.
  ///
  /// - Parameter source: The source of the macro, which begins with the white space and comments
  ///   before the macro. The location of the syntax is that of the beginning of the source.
  init(_ syntax: HostMessage.Syntax, _ source: Source) {
    let fileID = syntax.location?.fileID ?? ""
    module = String(fileID.prefix { $0 != "/" })
    let start = UserLocation(of: source.tokens.first?.range.lowerBound ?? 0, in: source, at: syntax.location)
    name = "\(fileID):\(start.line):\(start.column)"
  }
}
