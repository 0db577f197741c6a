internal import Registry
internal import RoutePatterns

extension RouteHandler {
  /// The reason why no request can perform an action, and the fix, or nil. The property runs client
  /// code; see ``DecodingRequests``.
  var singleValue: String? {
    guard info.action != nil, DecodingRequests.isSingleValue(info.parameters) else { return nil }
    return "its handler takes the single value '\(info.parameters)', but 'perform' passes named parameters; declare a"
      + " 'Decodable' structure with a property for each parameter"
  }

  /// Returns diagnostics about pattern parameters that don't fit the parameters type, and about an
  /// action that takes a single value. The method runs client code; see ``DecodingRequests``.
  func unusedParameters() -> [Diagnostic] {
    if let singleValue { return [unused("no request can perform \(name.text.quotedForDisplay()): \(singleValue)")] }
    var diagnostics: [Diagnostic] = []
    for pattern in info.patterns.compactMap({ try? PatternSyntax($0.text) }) {
      if pattern.variants.allSatisfy({ $0.parameters.count != 1 }), DecodingRequests.isSingleValue(info.parameters) {
        diagnostics.append(
          unused(
            "the pattern \(pattern.text.quotedForDisplay()) matches no URL, because '\(info.parameters)' is a single value"
              + " and the pattern has \(pattern.parameters.count) parameters; declare a 'Decodable' structure with a"
              + " property for each parameter, or leave one parameter"))
        continue
      }
      if pattern.parameters.isEmpty { continue }
      let (unknown, properties) = DecodingRequests.unknownNames(
        among: pattern.parameters.map { ($0.name, $0.type) }, of: info.parameters
      ) { _ = try decode?($0) }
      for parameter in pattern.parameters {
        let name = parameter.name
        var types = properties.filter { $0.name == name }.map(\.type)
        if types.isEmpty, pattern.parameters.count == 1 { types = [info.parameters] }
        let problem: String
        if let keys = unknown[name] {
          problem =
            "is not a key of '\(info.parameters)'; rename the parameter, or add a property to the"
            + " type\(name.suggestion(in: properties.map(\.name) + keys))"
        } else if let required = parameter.type, let type = types.first, !types.contains(where: required.fits) {
          problem =
            "accepts only '\(required.rawValue)', but '\(info.parameters)' decodes it as '\(type)', and no text is both;"
            + " change one of the types"
        } else {
          continue
        }
        diagnostics.append(
          unused(
            "the parameter \(name.quotedForDisplay()) of the pattern \(pattern.text.quotedForDisplay()) \(problem)"))
      }
    }
    return diagnostics
  }

  private func unused(_ message: String) -> Diagnostic {
    provenance.diagnostic(.warning, .unusedParameter, message)
  }

  #if DEBUG
  /// Returns diagnostics about values that an action doesn't decode although their names resemble
  /// keys of its parameters type. The method runs client code; see ``DecodingRequests``.
  func unusedValues(_ names: some Sequence<String>) -> [Diagnostic] {
    let (unknown, properties) = DecodingRequests.unknownNames(
      among: names.map { ($0, nil) }, of: info.parameters
    ) { _ = try decode?($0) }
    return unknown.ordered { $0.key < $1.key }.compactMap { value, keys in
      let suggestion = value.suggestion(in: properties.map(\.name) + keys)
      // Other values may be meant for another version of the action.
      if suggestion.isEmpty { return nil }
      return unused(
        "'perform' passes \(value.quotedForDisplay()) to the action '\(name.text.escapedForDisplay())', but it is not a"
          + " key of '\(info.parameters)'\(suggestion)")
    }
  }
  #endif
}
