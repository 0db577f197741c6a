/// An attribute of properties whose getter looks something up.
struct PropertyMacro {
  let name: String
  /// The call with the same result.
  let call: String
  /// An example of its usage.
  let usage: String

  static let service = PropertyMacro(
    name: "@Service", call: "createService(for:)", usage: "@Service var cart: any CartService")
  static let contributions = PropertyMacro(
    name: "@Contributions", call: "contributions(to:)", usage: "@Contributions(.menu) var dishes: [Dish]")
}

extension Problem {
  static func localProperty(_ macro: PropertyMacro, _ name: String) -> Problem {
    Problem(
      .localDeclaration,
      "'\(macro.name)' cannot be applied to '\(name)', which is not in a type; call '\(macro.call)' in code, and state"
        + " the need with '#needs' at the top level of a file or in a type")
  }

  static func propertyOfGenericType(_ macro: PropertyMacro, _ name: String, _ outer: String) -> Problem {
    Problem(
      .genericType,
      "'\(macro.name)' cannot be applied to '\(name)' in \(genericContext(outer)); write a computed property that calls"
        + " '\(macro.call)', and state the need with '#needs' at the top level of the file")
  }

  static func propertyOfProtocol(_ macro: PropertyMacro, _ name: String, _ outer: String) -> Problem {
    Problem(
      .declaredInProtocol,
      "'\(macro.name)' cannot be applied to '\(name)' in the protocol '\(outer)'; apply it to a property of a type")
  }

  static func notAVariable(_ macro: PropertyMacro, _ keyword: String, _ name: String) -> Problem {
    keyword == "let"
      ? Problem(
        .invalidProperty, "'\(macro.name)' requires a variable, because it looks '\(name)' up at each use; write 'var'")
      : Problem(.invalidProperty, "'\(macro.name)' can only be applied to a property; write '\(macro.usage)'")
  }

  static func unusableModifier(_ macro: PropertyMacro, _ modifier: String, _ name: String) -> Problem {
    Problem(
      .invalidProperty, "'\(macro.name)' looks '\(name)' up at each use, so '\(modifier)' has no effect; remove it")
  }

  static func propertyWithoutType(_ name: String) -> Problem {
    Problem(
      .invalidProperty,
      "'@Service' requires a property with a written type, as in '@Service var \(name): any CartService'")
  }

  static func propertyWithValue(_ name: String) -> Problem {
    Problem(
      .invalidProperty,
      "'@Service' looks '\(name)' up, so the property cannot have a value or accessors, and it needs a declaration of its"
        + " own; remove the text after the type")
  }

  static func cachedWithoutStorage(_ name: String, _ keyword: String) -> Problem {
    let subject = keyword == "enum" ? "an enum" : "an extension"
    return Problem(
      .invalidProperty,
      "'cached: true' stores the instance of '\(name)', but \(subject) cannot have stored properties; remove 'cached',"
        + " or declare the property in a class, struct, or actor")
  }

  static func observedProperty(_ name: String) -> Problem {
    Problem(
      .observedProperty,
      "'@Observable' adds an accessor to '\(name)', which '@Service' already does; write '@Service @ObservationIgnored"
        + " var \(name)', in this order")
  }

  static func cachedStatic(_ name: String) -> Problem {
    Problem(
      .invalidProperty,
      "'cached: true' cannot be used for the static property '\(name)', because a test would keep its service for all"
        + " others; remove it, or export the service with 'scope: .shared'")
  }

  static func compoundType(_ name: String) -> Problem {
    Problem(
      .invalidProperty,
      "'@Service' looks one service up, so '\(name)' cannot be a dictionary, a tuple, a function, or an optional array;"
        + " write the type of a service, as in 'any CartService', or '[any CartService]' for all implementations")
  }

  static func namedList(_ name: String, at range: Range<Int>?) -> Problem {
    Problem(
      .invalidProperty,
      "'\(name)' contains all implementations, and '\(range == nil ? "cached" : "named")' selects one; remove it, or declare"
        + " one service", at: range)
  }

  static func opaqueType(_ name: String) -> Problem {
    Problem(
      .invalidProperty, "'@Service' requires a type that the service has; write 'any' instead of 'some' for '\(name)'")
  }
}
