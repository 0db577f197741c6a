package import Registry

/// The attributes of a module. Members that a record omits have default values.
package struct ModuleAttributes: JSONMembers {
  package var module = ""
  package var level = ModuleLevel.normal
  package var priority = 0
  package var after: [String] = []
  /// The types in `after`, by name. Names that `after` lists as text have no entry.
  // Don't write `[:]`, which would look up the element type for each record.
  private(set) var precedingTypes = [String: [Any.Type]]()
  package var afterTypes: [String] = []
  /// A Boolean value that indicates whether the module follows the modules that its feature needs.
  package var afterNeeds = false
  package var activation = ModuleActivation.atLaunch
  package var initialization = ModuleInitialization.inStart
  package var replaysMissedPhases = false

  package init(
    module: String, level: ModuleLevel = .normal, priority: Int = 0, after: [String] = [],
    activation: ModuleActivation = .atLaunch, initialization: ModuleInitialization = .inStart,
    replaysMissedPhases: Bool = false
  ) {
    self.module = module.recordForm
    self.level = level
    self.priority = priority
    self.after = after.map(\.recordForm)
    self.activation = activation
    self.initialization = initialization
    self.replaysMissedPhases = replaysMissedPhases
  }

  mutating func follow(_ types: [Any.Type]) {
    for type in types {
      let name = recordName(of: type)
      after.append(name)
      precedingTypes[name, default: []].append(type)
    }
  }

  package init(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    try read(json)
  }

  // Nonisolated, because closures in its isolated caller would check the executor at run time.
  init(of record: ExportedRecord) throws(JSONError) {
    try read(record)
  }

  package mutating func read(_ key: JSONText, _ reader: inout JSONReader) throws(JSONError) {
    switch key {
    case "module": module = try reader.text().recordForm
    case "priority": priority = try reader.integer()
    case "after":
      try reader.array()
      while try reader.element() { after.append(try reader.text().recordForm) }
    case "afterTypes":
      try reader.array()
      while try reader.element() { afterTypes.append(try reader.string()) }
    case "afterNeeds": afterNeeds = try reader.boolean()
    case "level": level = try reader.word("level") { "basic" ~= $0 ? .basic : "normal" ~= $0 ? .normal : nil }
    case "activation":
      activation = try reader.word("activation") {
        "atLaunch" ~= $0 ? .atLaunch : "onFirstEvent" ~= $0 ? .onFirstEvent : nil
      }
    case "initialization":
      initialization = try reader.word("initialization") {
        "inStart" ~= $0 ? .inStart : "inNextTurn" ~= $0 ? .inNextTurn : nil
      }
    case "catchUp": replaysMissedPhases = try reader.boolean()
    default: try reader.skip()
    }
  }

  package var problem: String? { module.isEmpty ? "missing member 'module'" : nil }
}
