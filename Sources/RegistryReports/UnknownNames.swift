package import Registry

// These problems appear in reports but are not stored, because an image that is loaded later can
// resolve them.

extension ServiceCore {
  /// Returns diagnostics for C contributions to points that no code has used.
  func unknownPoints() -> [Diagnostic] {
    let (unread, known) = state.withLock { state in
      (state.contributions.unread, Set(of: state.groups.all.compactMap(\.key.point)))
    }
    let addresses = unread.filter { $0.address != nil && !known.contains($0.attributes.point) }
    return addresses.ordered { $0.attributes.point < $1.attributes.point }.map { record in
      let point = record.attributes.point
      return record.diagnostic(
        .warning, .unknownPoint,
        "the record contributes to \(point.quotedForDisplay()), but no code has used a contribution point with this"
          + " identifier\(point.suggestion(in: known))")
    }
  }

  /// Returns a diagnostic for a source of records that selects none of the existing records.
  func missingRecords() -> [Diagnostic] {
    guard let problem = state.withLock({ $0.feed }).problem else { return [] }
    return [
      Diagnostic(
        severity: .warning, code: .noRecords, subject: "records", image: nil,
        message: "the manager uses none, because \(problem)")
    ]
  }

  /// Returns diagnostics for flags that are set, but that no loaded record's condition names.
  func unknownFlags() -> [Diagnostic] {
    let flags = conditions.compactMap { condition in
      if case .flag(let name) = condition { name } else { nil }
    }
    if flags.isEmpty { return [] }
    let conditions = RecordSource.records { _ in true }.records().compactMap(\.condition)
    let known = Set(of: conditions.compactMap { $0.argument(of: "flag") })
    return flags.filter { !known.contains($0) }.ordered(by: <).map { flag in
      Diagnostic(
        severity: .warning, code: .unknownFlag, subject: flag, image: nil,
        message: "the flag is set, but no loaded record has the condition '.flag(\"\(flag.escapedForDisplay())\")'"
          + (flag.contains { " ;".contains($0) }
            ? "; 'REGISTRY_FLAGS' separates flags with commas" : flag.suggestion(in: known)))
    }
  }

  /// Returns diagnostics for C records that name an undeclared protocol, or name a protocol as the
  /// class. Skips services that code has looked up and records of Swift code.
  func unknownProtocols() -> [Diagnostic] {
    var unclaimed: [ServiceEntry] = []
    state.withLock { state in
      let known = Set(of: state.groups.all.map(\.key.typeName))
      for (name, entries) in state.unclaimed where !known.contains(name) { unclaimed += entries }
    }
    return unclaimed.filter { $0.image != nil }.ordered { $0.rank < $1.rank }.compactMap { entry in
      // An Objective-C class and a protocol can share a name, such as NSObject.
      let name = entry.implementation
      if ClassLookup.existential(named: name) != nil, ClassLookup.type(named: name) == nil {
        return entry.diagnostic(
          .error, .unknownClass,
          "the record names this protocol as its class; write the protocol first, and then the class")
      }
      return ClassLookup.absenceOfService(entry.service).map { absence in
        Diagnostic(
          severity: .error, code: .unknownProtocol, subject: entry.service, image: entry.image,
          message: "\(entry.label) is exported as its implementation, but \(absence)")
      }
    }
  }

  /// Returns warnings about implementations whose `replaces` matches no known implementation of the
  /// same service and name. They aren't errors, because an image may be absent on purpose.
  func unknownReplacements() -> [Diagnostic] {
    // A child's implementation precedes its parents' implementations, so it can replace them.
    let inherited = inherited
    return implementations.flatMap { service -> [Diagnostic] in
      let all = service.all.ordered { $0.rank < $1.rank }
      guard all.contains(where: { $0.options?.replaces != nil }) else { return [] }
      let known = all.map { (name: $0.name, implementation: $0.implementation, identity: $0.identity) }
      return zip(all, known).compactMap { entry, own in
        guard let options = entry.options, let replaced = options.replaces else { return nil }
        let matches = known.filter { options.replaces($0.implementation, identity: $0.identity) }
        if matches.contains(where: { $0.name == entry.name }) { return nil }
        let isInherited = inherited.contains { parent in
          parent.name == service.name
            && parent.all.contains {
              $0.name == entry.name && options.replaces($0.implementation, identity: $0.identity)
            }
        }
        if isInherited { return nil }
        let isNamed = !matches.isEmpty
        let others = known.filter { $0.name == entry.name && $0.implementation != own.implementation }
        return entry.diagnostic(
          .warning, .unknownReplaced,
          "'replaces' names \(replaced.quotedForDisplay()), but no loaded image exports it as an implementation of"
            + " \(service.name.quotedForDisplay())"
            + (entry.name.map { " with the name \($0.quotedForDisplay())" } ?? " without a name")
            + (isNamed
              ? "; give both implementations the same name" : replaced.suggestion(in: others.map(\.implementation))))
      }
    }
  }
}

extension ClassLookup {
  /// Returns the reason why no lookup can find a service with the given name, with the fix.
  ///
  /// Private protocols have no names that can be looked up. The result is nil if a protocol or a
  /// class has the name, or if the library can't determine whether one does.
  package static func absenceOfService(_ name: String) -> String? {
    guard name.contains(".") else {
      // The Objective-C runtime knows only protocols that code uses.
      return objectiveC.isAvailable
        ? nil
        : "a name without a module is the name of an Objective-C protocol, which this system does not support; write the"
          + " name of a Swift protocol as 'Module.Protocol'"
    }
    if !isFindable(name) || existential(named: name) != nil || type(named: name) != nil { return nil }
    return
      "no loaded image declares a protocol or a class with this name, so no lookup finds the implementation; write the"
      + " name as 'Module.Protocol', and load the image that declares the protocol"
  }
}

extension Diagnostic.Code {
  package static var unknownFlag: Self { "unknown-flag" }
  package static var unknownPoint: Self { "unknown-point" }
  package static var unknownReplaced: Self { "unknown-replaced" }
}
