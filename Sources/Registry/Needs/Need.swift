/// A need for a service, route, module, or contribution point, as declared in a record.
package final class Need: NeedAttributes, @unchecked Sendable {
  // Unchecked: only the initializers change the properties.

  package let record: ExportedRecord

  package init(_ record: ExportedRecord) throws(JSONError) {
    self.record = record
    try super.init(record.bytes)
    withExtendedLifetime(record) {}
  }

  /// A description of the dependent code, for messages.
  package var dependentForDisplay: String {
    switch (dependent, location) {
    case (let dependent?, let location?): "\(dependent.quotedForDisplay()) (\(location.escapedForDisplay()))"
    case (let one?, nil), (nil, let one?): one.escapedForDisplay()
    case (nil, nil): "a record of C code (\(record.location))"
    }
  }

  /// Returns the diagnostic for an unmet need.
  ///
  /// - Parameters:
  ///   - reason: The reason and the fix.
  ///   - subject: The name of the subject; nil to use the name in the record.
  package func diagnostic(_ reason: String, subject: String? = nil) -> Diagnostic {
    Diagnostic(
      severity: .error, code: .unmetNeed, subject: subject ?? target, image: record.image,
      message: "needed by \(dependentForDisplay), but \(reason)")
  }
}

extension ExportedRecord {
  /// The type that the record's accessor returns, or nil.
  package var servedType: Any.Type? {
    accessor.flatMap { answer(of: $0) }.map(serviceType)
  }
}

extension ServiceManager {
  /// Returns the diagnostic for an unmet need for a service, or nil if the need is met. Creates no
  /// service.
  package func problem(of need: Need) -> Diagnostic? {
    guard
      let type = need.record.servedType ?? ClassLookup.existential(named: need.target)
        ?? ClassLookup.type(named: need.target)
    else {
      return need.diagnostic(
        "no loaded image declares a protocol or a class with this name; write it as 'Module.Protocol', and link the"
          + " target that declares it")
    }
    return core.absence(of: type, named: need.name).map { need.diagnostic("\($0)", subject: recordName(of: type)) }
  }

  /// Returns the names of the implementations that images export for a need's service, except
  /// implementations whose condition doesn't hold.
  package func implementations(of need: Need) -> [String] {
    let type = need.record.servedType.map(typeKey)
    let name = type.map { recordName(of: serviceType($0)) } ?? need.target
    var found: [String] = []
    for core in core.lineage.map(\.current) {
      core.refresh()
      let conditions = core.conditions
      core.state.withLock { state in
        let group = type.flatMap { state.groups[GroupKey($0)] } ?? state.groups.claimed(name)
        let entries = (group.map { $0.entries + $0.conditional } ?? []) + (state.unclaimed[name] ?? [])
        for entry in entries
        where entry.image != nil && (need.isAll || entry.name == need.name) && entry.isIncluded(by: conditions) {
          found.append(entry.implementation)
        }
      }
    }
    return found
  }
}

extension Diagnostic.Code {
  package static var unmetNeed: Self { "unmet-need" }
}
