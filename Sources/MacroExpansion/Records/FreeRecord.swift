/// The record of a freestanding macro, with the checks that these macros perform.
///
/// The declarations have the compiler's form for unique names. Therefore, the macros need not
/// announce names, which they could not do at the top level.
struct FreeRecord {
  let location: HandlerLocation
  let context: LexicalContext
  private let discriminator: String

  /// Checks the location of the macro and adds problems.
  init(
    _ request: HostMessage.FreestandingMacro, _ source: Source, _ macro: FreeMacro,
    _ configuration: BuildConfiguration, _ problems: inout [Problem]
  ) {
    location = HandlerLocation(request.syntax, source)
    discriminator = request.discriminator
    context = LexicalContext(request.lexicalContext ?? [], discriminator: discriminator, module: location.module)
    switch context.obstacle {
    case .local: problems.append(.localHandler(macro))
    case .generic(let outer): problems.append(.genericHandler(macro, outer))
    case .inProtocol(let outer): problems.append(.handlerInProtocol(macro, outer))
    case nil: break
    }
    if let formats = configuration.unknownObjectFormats {
      problems.append(.objectFormat(macro.name, formats, atRunTime: macro.atRunTime))
    }
  }

  /// The name of the function in the declarations.
  var functionName: String { context.isInType ? name("8functionfMu_") : "__function" }

  /// Returns the declarations of the record and, if given, of a function.
  ///
  /// - Parameters:
  ///   - kind: The kind of the record.
  ///   - accessor: The statement of the record's accessor.
  ///   - json: The contents of the record.
  ///   - function: The parameters and body of a static function with the name ``functionName``. The
  ///     compiler infers its isolation at this location.
  func text(kind: UInt32, accessor: String, json: JSONObject, function: String? = nil) -> String {
    text(kind: kind, [(accessor, json)], function: function)
  }

  /// Returns the declarations of several records of one kind.
  func text(kind: UInt32, _ records: [(accessor: String, json: JSONObject)], function: String? = nil) -> String {
    let type = name("8RegistryfMu_")
    let constants = records.enumerated().map { index, record in
      let number = index == 0 ? "" : "\(index)"
      return Record(
        kind: kind,
        machOSection: "__DATA,__reg_exports",
        accessor: [record.accessor],
        json: record.json.text,
        isStatic: true,
        name: context.isInType ? name("\(8 + number.utf8.count)Registry\(number)fMu_") : "__record\(number)"
      ).text
    }.joined(separator: "\n")
    let members = constants + (function.map { "\nprivate static func \(functionName)\($0)" } ?? "")
    if context.isInType { return context.absence.excluded(from: members) }
    // Wrap the record in a type, because an unused constant at the top level of a script causes a
    // warning. The type refers to itself in a private type alias, because the compiler would
    // otherwise silently drop the type inside a statement of a script.
    return """
      private \(function == nil ? "nonisolated " : "")enum \(type) {
      private typealias __Here = \(type)
      \(members)
      }
      """
  }

  private func name(_ end: String) -> String { discriminator + end }
}
