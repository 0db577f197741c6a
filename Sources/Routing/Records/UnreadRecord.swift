internal import Registry

/// A record whose route or action has not been read.
struct UnreadRecord: Sendable {
  let provider: __RouteProvider
  let provenance: Provenance
  /// The route as it was written in the source, or the names of the action.
  let name: String
  let isAction: Bool

  /// An error that indicates that a record cannot be used.
  struct Unusable: Error {
    let diagnostic: Diagnostic
  }

  /// Creates an unread record. This calls the accessor, which runs no code of the client.
  static func make(
    _ record: ExportedRecord, _ attributes: RouteAttributes, _ provenance: Provenance
  ) -> Result<UnreadRecord, Unusable> {
    guard let accessor = record.accessor else {
      let problem =
        record.kind == .action
        ? "the record of an action has no accessor; export the action with '#exportAction'"
        : "the record of a route has no accessor; export the route with '#exportRoute'"
      return .failure(Unusable(diagnostic: .malformed(record, problem)))
    }
    let name = attributes.route ?? "\(attributes.target ?? "").\(attributes.action ?? "")"
    guard let provider: __RouteProvider = provided(by: accessor) else {
      var metadata: UnsafeRawPointer?
      guard accessor(&metadata, nil, 0) else {
        return .failure(
          Unusable(
            diagnostic: provenance.diagnostic(
              .warning, .unavailable, "the declaration is marked as unavailable on this system; the handler is ignored")
          ))
      }
      return .failure(Unusable(diagnostic: refusal(provenance)))
    }
    return .success(
      UnreadRecord(provider: provider, provenance: provenance, name: name, isAction: record.kind == .action))
  }

  /// The diagnostic for an accessor that does not provide exactly one handler of the record's kind.
  var refusal: Diagnostic { Self.refusal(provenance) }

  private static func refusal(_ provenance: Provenance) -> Diagnostic {
    provenance.diagnostic(
      .error, .accessorRefused,
      "the accessor of the record does not provide exactly one handler; rebuild the image with the version of the library"
        + " that it is loaded with")
  }
}
