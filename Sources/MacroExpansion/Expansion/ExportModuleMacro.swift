func expandModule(_ use: MacroUse) -> String? {
  let declaration = use.declaration
  let name = declaration.name
  if declaration.keyword != "class" || !declaration.modifiers.contains("final") {
    let kind = declaration.keyword == "class" ? "not final" : declaration.keyword.withArticle
    use.report(
      .notAFinalClass,
      "'@ExportModule' requires a final class, but '\(name)' is \(kind); write 'final class \(name)'")
  }
  if let number = attributeNumber(use.request.discriminator), number > 0 {
    use.report(.exportedTwice(name, by: "@ExportModule"))
  }
  if let argument = use.next() {
    use.report(
      .missingArgument,
      "an argument needs a label, such as 'level:' or 'after:'; the module has the name of its class, '\(use.qualifiedName)'",
      at: argument)
  }
  let after = use.modulesBefore()
  var json = JSONObject()
  json.set("module", use.qualifiedName)
  json.set("level", use.choice("level", of: "ModuleLevel", ["basic", "normal"], standard: "normal"))
  json.set("priority", use.integer("priority"))
  json.set("after", after.names)
  json.set("afterTypes", after.types)
  json.set("afterNeeds", use.boolean("afterNeeds"))
  let activation = use.choice(
    "activation", of: "ModuleActivation", ["atLaunch", "onFirstEvent"], standard: "atLaunch")
  json.set("activation", activation)
  json.set(
    "initialization",
    use.choice("initialization", of: "ModuleInitialization", ["inStart", "inNextTurn"], standard: "inStart"))
  json.set("catchUp", use.boolean("replaysMissedPhases"))
  json.setGroup(use.text("group"))
  json.set("at", use.attributePlace)
  guard use.isValid() else { return nil }
  for warning in ModuleRequirement.nearMisses(in: use) { use.report(warning) }
  // Pass the whole array literal of `after`, so that the accessor returns the types in it.
  let types = after.types.isEmpty ? "" : "after: \(after.expression), "
  let type = declaration.spelling
  let module = "Lifecycle::__provideModule(\(type).self, \(types)__out, __type)"
  // If the class lacks `subscribe`, the call selects a deprecated function, with a warning.
  let subscriber = (declaration.isUnsafe ? "unsafe " : "") + type
  let check = use.nameLocation.placing(
    "\(subscriber).subscribe(__events)", offset: subscriber.utf8.count + 1,
    after: "@MainActor func __check(_ __events: Lifecycle::Subscriptions<\(type)>) {", before: "}")
  let checks = (activation == nil ? [] : [check]) + [ModuleRequirement.contextCheck(in: use)].compactMap(\.self)
  return use.whereDeclared(use.typeRecord(.module, accessor: checks + [use.nameLocation.return(module)], json))
}

extension MacroUse {
  /// Returns the modules in `after`: the names in string literals, the names of types (with periods
  /// instead of `::`), and the whole array literal.
  fileprivate func modulesBefore() -> (names: [String], types: [String], expression: String) {
    guard let range = next("after") else { return ([], [], "") }
    guard let elements = source.inside("[", range) else {
      report(
        .notALiteral,
        "'after' must be an array literal of string literals such as '[\"Account.AccountModule\"]', or of types such "
          + "as '[AccountModule.self]'; the attribute cannot evaluate expressions", at: range)
      return ([], [], "")
    }
    var (names, types): ([String], [String]) = ([], [])
    for element in source.split(elements) {
      let type = TypeExpression(source, element)?.recordName
      guard let name = type ?? text("after", element) else { continue }
      if name == qualifiedName || type != nil && qualifiedName.hasSuffix(".\(name)") && !name.contains(".") {
        let reason = "cannot start after itself; remove it from 'after'"
        report(.afterItself, "module '\(name)' \(reason)", at: element)
      } else if names.contains(name) || types.contains(name) {
        report(.duplicateName, "'after' contains '\(name)' twice; remove one of them", at: element)
      } else if type == nil {
        names.append(name)
      } else {
        types.append(name)
      }
    }
    return (names, types, source.normalized(range))
  }
}
