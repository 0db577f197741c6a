internal import Registry
internal import RoutePatterns

extension RouteHandling {
  /// Returns diagnostics about the parameters of the route's patterns that its parameters type
  /// lacks, or decodes as a type that does not fit.
  ///
  /// The method runs the code of the client that decodes the parameters; see ``KeyRecorder``.
  func unusedParameters(_ provenance: Provenance) -> [Diagnostic] {
    let patterns = patterns.compactMap { try? PatternSyntax($0.text) }
    let parameters = patterns.flatMap(\.parameters)
    guard !parameters.isEmpty else { return [] }
    let (unknown, properties) = KeyRecorder.unknownNames(among: parameters, of: parametersType) {
      _ = try self.parameters(RouteArguments(recorder: $0))
    }
    var diagnostics: [Diagnostic] = []
    for pattern in patterns {
      for parameter in pattern.parameters {
        let name = parameter.name
        // Parameters that are a single value have no properties.
        let single = pattern.parameters.count == 1 ? parametersType as any Any.Type : nil
        let type = properties.first { $0.name == name }?.type ?? single
        let problem: String
        if unknown.contains(name) {
          problem =
            "is not a key of '\(parametersType)'; rename the parameter, or add a property to the"
            + " type\(name.suggestion(in: properties.map(\.name)))"
        } else if let required = parameter.type, let type, !required.fits(type) {
          problem =
            "accepts only '\(required.rawValue)', but '\(parametersType)' decodes it as '\(type)', so no URL that matches"
            + " the pattern is opened; change one of the types"
        } else {
          continue
        }
        diagnostics.append(
          provenance.diagnostic(
            .warning, .unusedParameter,
            "the parameter \(name.quotedForDisplay()) of the pattern \(pattern.text.quotedForDisplay()) \(problem)"))
      }
    }
    return diagnostics
  }
}
