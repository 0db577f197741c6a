extension MacroUse {
  // MARK: Locations

  var start: UserLocation { location(of: source.tokens.indices) }

  private func location(of tokens: Range<Int>) -> UserLocation {
    UserLocation(of: source.span(tokens)?.lowerBound ?? 0, in: source, at: request.syntax.location)
  }

  /// Returns a statement that uses a type. The compiler reports problems with the type at `tokens`.
  func placing(_ type: TypeExpression, at tokens: Range<Int>, after opening: String) -> String {
    location(of: tokens).placing(type.expression, after: opening, before: ")")
  }

  var nameLocation: UserLocation {
    UserLocation(of: declaration.nameOffset, in: header, at: request.declaration?.location)
  }

  /// The macro's location in the form that records use, such as `Cart/Cart.swift:12:1`. It includes
  /// the column, because a line can contain several macros.
  var place: String { "\(request.syntax.location?.fileID ?? ""):\(start.line):\(start.column)" }

  var attributePlace: String? { request.syntax.location?.line == nil ? nil : place }

  /// Returns a statement that calls a method with the macro's arguments and the text after them,
  /// such as a trailing closure.
  ///
  /// The compiler reports errors in the text where the user wrote it; see ``UserLocation``. Spaces
  /// replace the argument `group`, which only the record contains.
  func call(_ method: String, of receiver: String) -> String {
    let whole = (source.argumentsIndex ?? source.tokens.count)..<source.tokens.count
    var text = source.text(whole)
    let start = source.span(whole)?.lowerBound ?? 0
    if let group = source.attributeArguments().first(where: { $0.label == "group" })?.tokens,
      let range = source.span((group.lowerBound - 3)..<group.upperBound)
    {
      let bytes = source.bytes[range].map { $0.isNewline ? $0 : UInt8(ascii: " ") }
      var all = Array(text.utf8)
      all.replaceSubrange((range.lowerBound - start)..<(range.upperBound - start), with: bytes)
      text = String(decoding: all, as: UTF8.self)
    }
    return UserLocation(of: start, in: source, at: request.syntax.location)
      .placing(".\(method)\(text)", offset: method.utf8.count + 1, after: receiver)
  }

  func function(_ parameter: String, _ type: String, calling method: String) -> String {
    "(_ \(parameter): \(type)) {\n\(call(method, of: parameter))\n}"
  }

  // MARK: Availability

  /// The statements that make an accessor return false on systems that are too old for the type.
  var guards: [String] {
    if context.hasAvailability { return [] }
    return declaration.availability.compactMap(\.introduction).map { "guard #available(\($0)) else { return false }" }
  }

  /// The introducing versions of the declaration, as attributes for code that uses it.
  var introductions: [String] {
    declaration.availability.filter(\.isIntroduction).map { "@available(\($0.text))" }
  }

  // MARK: Records

  /// Returns the text of the record of a type or a property.
  ///
  /// The record has the attributes that introduce the declaration in a version of Swift. If an
  /// enclosing declaration requires newer systems, it has all attributes that state an introducing
  /// version, because the compiler would warn about a redundant check.
  func typeRecord(
    _ kind: Record.Kind, accessor: [String], _ json: JSONObject, name: String? = nil, isStatic: Bool? = nil
  ) -> String {
    let attributes = declaration.availability.filter {
      $0.isIntroduction && (context.hasAvailability || $0.introduction == nil)
    }
    return Record(
      kind: kind, accessor: guards + accessor, json: json, isStatic: isStatic ?? context.isInType,
      name: name ?? recordName(request, declaration.name), attributes: attributes.map { "@available(\($0.text))" }
    ).text
  }

  func whereDeclared(_ text: String) -> String {
    (declaration.availability.absence + context.absence).excluded(from: text)
  }

  var functionName: String { context.isInType ? "\(request.discriminator)8functionfMu_" : "__function" }

  /// Returns the declarations of a freestanding macro's records and of an optional function.
  ///
  /// Names that the macro adds to its scope have the compiler's form for unique names, so the macro
  /// doesn't have to announce them. A macro at the top level can't announce arbitrary names.
  ///
  /// - Parameter function: The parameters and body of a static function named ``functionName``. The
  ///   compiler infers the function's isolation from its scope.
  func freeRecords(
    _ kind: Record.Kind, _ records: [(accessor: String, json: JSONObject)], function: String? = nil
  ) -> String {
    let type = "\(request.discriminator)8RegistryfMu_"
    let constants = records.enumerated().map { index, record in
      let number = index == 0 ? "" : "\(index)"
      let unique = "\(request.discriminator)\(8 + number.utf8.count)Registry\(number)fMu_"
      return Record(
        kind: kind, accessor: guards + [record.accessor], json: record.json, isStatic: true,
        name: context.isInType ? unique : "__record\(number)"
      ).text
    }.joined(separator: "\n")
    let members = constants + (function.map { "\nprivate static func \(functionName)\($0)" } ?? "")
    if context.isInType { return whereDeclared(members) }
    // Wrap the record in a type, because an unused constant at the top level of a script causes a
    // warning. The type refers to itself in a private type alias, because otherwise the compiler
    // silently drops a type inside a statement of a script.
    return whereDeclared(
      """
      private \(function == nil ? "nonisolated " : "")enum \(type) {
      private typealias __Here = \(type)
      \(members)
      }
      """)
  }
}
