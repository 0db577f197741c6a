internal import Registry

/// A record whose route or action has not been read.
struct UnreadRecord: Sendable {
  let exported: ExportedRecord
  let provider: __RouteProvider
  let provenance: Provenance

  /// Creates an unread record, or reports why the record cannot be used.
  ///
  /// This calls the accessor, which runs no code of the client.
  init?(_ record: ExportedRecord, location: String, _ rank: Rank, _ report: (Diagnostic) -> Void) {
    exported = record
    provenance = Provenance(location: location, image: record.image, rank: rank)
    guard let accessor = record.accessor else {
      let problem =
        record.kind == .action
        ? "the record of an action has no accessor; export the action with '#exportAction'"
        : "the record of a route has no accessor; export the route with '#exportRoute'"
      report(.malformed(record, problem))
      return nil
    }
    guard let provider: __RouteProvider = provided(by: accessor) else {
      var metadata: UnsafeRawPointer?
      report(
        accessor(&metadata, nil, 0)
          ? provenance.refusal
          : provenance.diagnostic(
            .warning, .unavailable, "the declaration is marked as unavailable on this system; the handler is ignored"))
      return nil
    }
    self.provider = provider
  }
}

extension Provenance {
  /// The diagnostic for an accessor that does not provide exactly one handler of the record's kind.
  var refusal: Diagnostic {
    diagnostic(
      .error, .accessorRefused,
      "the accessor of the record does not provide exactly one handler; rebuild the image with the version of the library"
        + " that it is loaded with")
  }
}
