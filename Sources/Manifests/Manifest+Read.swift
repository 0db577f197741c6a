import Lifecycle
import Registry

extension Manifest {
  private static let sections = ["modules", "services", "configuration"]

  mutating func read(_ root: PropertyValue) throws(ManifestSyntaxError) {
    switch root {
    case .dictionary(let members):
      if members["moduleClasses"] == nil,
        members["Modules"] == nil || Self.sections.contains(where: { members[$0] != nil })
      {
        readOwn(members)
      } else {
        // These keys can be part of a larger property list, whose other keys are unrelated.
        readList(members["moduleClasses"], "moduleClasses") { $0.readBeeHiveModule($1, $2) }
        readList(members["Modules"], "Modules") { $0.readAntModule($1, $2) }
      }
    case .array(let list):
      if case .dictionary(let first)? = list.first, first["module"] != nil {
        throw ManifestSyntaxError(message: "expected an object; write {\"modules\": […]} for a list of modules")
      }
      readList(root, "") { $0.readService($1, $2, isBeeHive: true) }
    default:
      throw ManifestSyntaxError(
        message: "expected an object with \(Self.sections.quotedList("or")), but found \(root.summary)")
    }
    removeDuplicates()
  }

  private mutating func readOwn(_ members: [String: PropertyValue]) {
    for key in members.keys.sorted() where !Self.sections.contains(key) {
      add(key, "unknown key; the key is ignored\(ManifestFields.hint(key, among: Self.sections))")
    }
    readList(members["modules"], "modules") { $0.readModule($1, $2) }
    readList(members["services"], "services") { $0.readService($1, $2, isBeeHive: false) }
    switch members["configuration"] {
    case .dictionary(let settings)?: configuration = settings
    case let other?:
      add(
        "configuration",
        "expected an object such as '{\"shop.currency\": \"CHF\"}', but found \(other.summary); the value is ignored")
    case nil: break
    }
  }

  private mutating func add(_ location: String, _ message: String) {
    problems.append(ManifestProblem(file: name, location: location, message: message))
  }

  private mutating func readList(
    _ value: PropertyValue?, _ location: String,
    _ read: (inout Manifest, PropertyValue, _ location: String) -> Void
  ) {
    switch value {
    case .array(let list)?: for (index, entry) in list.enumerated() { read(&self, entry, "\(location)[\(index)]") }
    case let other?: add(location, "expected an array, but found \(other.summary); the list is ignored")
    case nil: break
    }
  }

  /// Returns the fields of an entry, or reports that it is not a dictionary.
  private mutating func fields(_ value: PropertyValue, _ location: String, _ example: String) -> ManifestFields? {
    if case .dictionary(let members) = value { return ManifestFields(file: name, location: location, members: members) }
    add(location, "expected an object such as '\(example)', but found \(value.summary); the entry is ignored")
    return nil
  }

  // MARK: - Entries of this package

  private mutating func readModule(_ value: PropertyValue, _ location: String) {
    guard var fields = fields(value, location, #"{"module": "Cart.CartModule"}"#) else { return }
    var entry = ModuleEntry(location: location, nameLocation: "\(location).module")
    entry.attributes.module = fields.name("module", "Cart.CartModule")
    entry.attributes.level = fields.word("level", ["basic": .basic, "normal": .normal], default: .normal)
    entry.attributes.priority = fields.integer("priority")
    entry.attributes.after = fields.names("after").map(\.recordForm)
    entry.attributes.activation = fields.word(
      "activation", ["atLaunch": .atLaunch, "onFirstEvent": .onFirstEvent], default: .atLaunch)
    entry.attributes.initialization = fields.word(
      "initialization", ["inStart": .inStart, "inNextTurn": .inNextTurn], default: .inStart)
    entry.attributes.replaysMissedPhases = fields.boolean("catchUp")
    if fields.finish(&problems) { modules.append(entry) }
  }

  /// Reads a service. BeeHive's entries have only the two required keys, with different names.
  private mutating func readService(_ value: PropertyValue, _ location: String, isBeeHive: Bool) {
    let (service, implementation) = isBeeHive ? ("service", "impl") : ("protocol", "class")
    let example = #"{"\#(service)": "ShopAPI.CartService", "\#(implementation)": "Cart.DefaultCart"}"#
    guard var fields = fields(value, location, example) else { return }
    var entry = ServiceEntry(
      location: location, serviceLocation: "\(location).\(service)",
      implementationLocation: "\(location).\(implementation)")
    entry.service = fields.name(service, "ShopAPI.CartService")
    entry.implementation = fields.name(implementation, "Cart.DefaultCart")
    if !isBeeHive {
      entry.scope = fields.scope("scope")
      entry.name = fields.string("name")
      entry.priority = fields.integer("priority")
    }
    if fields.finish(&problems) { services.append(entry) }
  }

  // MARK: - Modules of BeeHive and Ant

  /// Reads an entry of `moduleClasses` in `BeeHive.plist`, where numbers can be strings.
  private mutating func readBeeHiveModule(_ value: PropertyValue, _ location: String) {
    let example = #"{"moduleClass": "Cart.CartModule", "moduleLevel": 1, "modulePriority": 10}"#
    guard var fields = fields(value, location, example) else { return }
    var entry = ModuleEntry(location: location, nameLocation: "\(location).moduleClass")
    entry.attributes.module = fields.name("moduleClass", "Cart.CartModule")
    // Like BeeHive, read a missing level as 0.
    switch fields.integer("moduleLevel", orString: true) {
    case 0: entry.attributes.level = .basic
    case 1: break
    case let level: fields.add("moduleLevel", "expected 0 (basic) or 1 (normal), but found the integer \(level)")
    }
    entry.attributes.priority = fields.integer("modulePriority", orString: true)
    if fields.finish(&problems) { modules.append(entry) }
  }

  /// Reads an entry of Ant's `Modules`, which is the name of a class.
  private mutating func readAntModule(_ value: PropertyValue, _ location: String) {
    guard case .string(let name) = value, !name.isEmpty else {
      let isObject = if case .dictionary = value { true } else { false }
      return add(
        location,
        "expected a name such as '\"Cart.CartModule\"', but found \(value.summary); the entry is ignored"
          + (isObject ? "; write the key 'Modules' as 'modules' for a list of objects" : ""))
    }
    var entry = ModuleEntry(location: location, nameLocation: location)
    entry.attributes.module = name
    modules.append(entry)
  }

  private mutating func removeDuplicates() {
    var firstLocations: [[String?]: String] = [:]
    func isFirst(_ name: [String?], _ location: String) -> Bool {
      guard let first = firstLocations[name] else {
        firstLocations[name] = location
        return true
      }
      add(location, "the entry repeats '\(first)' and is ignored")
      return false
    }
    let (modules, services) = (modules, services)
    self.modules = modules.filter { isFirst(["module", $0.attributes.module], $0.location) }
    self.services = services.filter { isFirst(["service", $0.service, $0.implementation, $0.name], $0.location) }
  }
}
