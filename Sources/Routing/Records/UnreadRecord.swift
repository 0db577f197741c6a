internal import Registry

struct UnreadRecord: Sendable {
  let exported: ExportedRecord
  let provider: __RouteProvider
  let provenance: Provenance

  /// Calls the accessor, which runs no client code.
  init?(_ record: ExportedRecord, location: String, _ rank: Rank, _ report: (Diagnostic) -> Void) {
    exported = record
    provenance = Provenance(location: location, record: record, rank: rank)
    guard let accessor = record.accessor else {
      if let problem = record.kind.problemWithoutAccessor { report(.malformed(record, problem)) }
      return nil
    }
    guard let provider: __RouteProvider = provided(by: accessor) else {
      report(.refused(record, location, "handler"))
      return nil
    }
    self.provider = provider
  }
}
