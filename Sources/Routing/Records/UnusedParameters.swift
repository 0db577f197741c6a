internal import Registry
internal import RoutePatterns

extension RouteHandling {
  /// Returns diagnostics about the parameters of the route's patterns that its parameters type
  /// lacks.
  ///
  /// The method runs the code of the client that decodes the parameters, without values.
  func unusedParameters(_ provenance: Provenance) -> [Diagnostic] {
    let patterns = patterns.compactMap { try? PatternSyntax($0.text) }
    let names = patterns.flatMap { $0.parameters.map(\.name) }
    guard !names.isEmpty else { return [] }
    let (unknown, keys) = KeyRecorder.unknownNames(among: names, of: parametersType) {
      _ = try parameters(RouteArguments(recorder: $0))
    }
    return patterns.flatMap { pattern in
      pattern.parameters.map(\.name).filter(unknown.contains).map { name in
        provenance.diagnostic(
          .warning, .unusedParameter,
          "the parameter \(name.quotedForDisplay()) of the pattern \(pattern.text.quotedForDisplay()) is not a key of"
            + " '\(parametersType)'; rename the parameter, or add a property to the type\(name.suggestion(in: keys))")
      }
    }
  }
}
