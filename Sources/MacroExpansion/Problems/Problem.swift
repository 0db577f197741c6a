/// A problem with an attribute or its declaration, with the fix for the user.
struct Problem: Equatable {
  enum Severity: String {
    case error
    case warning
  }

  /// A replacement that the compiler offers.
  struct FixIt: Equatable {
    let message: String
    /// The range in bytes that the text replaces.
    let range: Range<Int>
    let text: String
  }

  let code: Code
  /// The message without the code.
  let text: String
  /// The range in bytes of the argument that causes the problem, or nil for the whole attribute.
  ///
  /// The range of a warning is in the declaration that the attribute is attached to.
  let range: Range<Int>?
  private(set) var severity = Severity.error
  private(set) var fixIt: FixIt?

  init(_ code: Code, _ text: String, at range: Range<Int>? = nil) {
    self.code = code
    self.text = text
    self.range = range
  }

  /// The message that the compiler reports.
  var message: String { "\(text) [\(code.rawValue)]" }
}

extension Problem {
  /// Creates a warning about a part of the declaration.
  init(warning code: Code, _ text: String, at range: Range<Int>, fixIt: FixIt? = nil) {
    self.init(code, text, at: range)
    severity = .warning
    self.fixIt = fixIt
  }
}

// This file contains all messages. Keep them stable, because tests and searches depend on them.
extension Problem {
  // MARK: Location of the attribute

  static func notAType(_ attribute: String, _ keyword: String) -> Problem {
    let kinds =
      attribute == "@ExportModule" ? "apply it to a final class" : "apply it to a class, struct, actor, or enum"
    let (subject, fix) =
      switch keyword {
      case "func": ("a function", kinds)
      case "var", "let": ("a property", kinds)
      case "protocol": ("a protocol", "apply it to a type that conforms to the protocol")
      case "extension": ("an extension", "apply it to the declaration of the type")
      case "typealias": ("a type alias", "apply it to the declaration of the type")
      case "init": ("an initializer", "apply it to the type")
      case "case": ("an enum case", "apply it to the type")
      case "": ("this declaration", kinds)
      default: ("a declaration of kind '\(keyword)'", kinds)
      }
    return Problem(.notAType, "'\(attribute)' cannot be applied to \(subject); \(fix)")
  }

  static func moduleIsNotAClass(_ name: String, _ keyword: String) -> Problem {
    Problem(
      .notAFinalClass,
      "'@ExportModule' requires a final class, but '\(name)' is \(keyword.withArticle); write 'final class \(name)'")
  }

  static func moduleIsNotFinal(_ name: String) -> Problem {
    Problem(
      .notAFinalClass, "'@ExportModule' requires a final class, but '\(name)' is not final; write 'final class \(name)'"
    )
  }

  static func exportedTwice(_ name: String) -> Problem {
    Problem(.exportedTwice, "'\(name)' is already exported by another '@ExportModule' attribute; remove this one")
  }

  /// A type with two attributes for one service.
  static func exportedTwice(_ name: String, as service: String) -> Problem {
    Problem(
      .exportedTwice,
      "'\(name)' is already exported as '\(service)' by another '@ExportService' attribute; remove this one, or pass a"
        + " different name as 'named:'")
  }

  /// A type with two attributes for one route.
  static func exportedTwice(_ name: String, at route: String) -> Problem {
    Problem(
      .exportedTwice,
      "'\(name)' is already exported for the route '\(route)' by another '@ExportRoute' attribute; remove this one")
  }

  /// A function that almost matches a requirement of a module.
  static func nearMiss(
    _ function: String, of requirement: String, in protocolName: String, declaration: String, at range: Range<Int>,
    fixIt: FixIt?
  ) -> Problem {
    notCalled(
      function,
      "it does not match the requirement '\(requirement)' of '\(protocolName)'; did you mean '\(declaration)'?",
      at: range, fixIt: fixIt)
  }

  /// A function that is asynchronous, although the requirement of a module is not.
  static func asyncFunction(_ function: String, of requirement: String, at range: Range<Int>) -> Problem {
    notCalled(
      function,
      "it does not match the requirement '\(requirement)' of 'Module', which is not asynchronous; conform to"
        + " 'AsyncModule' and implement 'becomeReady(_:)' for asynchronous work", at: range)
  }

  /// A function that almost matches a requirement of `AsyncModule`, although its type names only
  /// `Module`.
  static func asyncRequirement(_ function: String, of requirement: String, at range: Range<Int>) -> Problem {
    let name = requirement.prefix { $0 != "(" }
    return notCalled(
      function,
      "only 'AsyncModule' has a requirement '\(requirement)'; conform to 'AsyncModule' instead of 'Module', and declare"
        + " it as 'func \(name)(_ context: Context) async throws'", at: range)
  }

  private static func notCalled(
    _ function: String, _ reason: String, at range: Range<Int>, fixIt: FixIt? = nil
  ) -> Problem {
    Problem(
      warning: .nearMiss, "'\(function)' is not called by the manager, because \(reason)", at: range, fixIt: fixIt)
  }

  static func generic(_ attribute: String, _ name: String) -> Problem {
    Problem(
      .genericType,
      "'\(attribute)' cannot be applied to the generic type '\(name)', because its generic arguments are unknown; "
        + "export a type that is not generic and that wraps or inherits from '\(name)'")
  }

  static func inGenericContext(_ attribute: String, _ name: String, _ outer: String) -> Problem {
    Problem(
      .genericType,
      "'\(attribute)' cannot be applied to '\(name)' in \(genericContext(outer)); move '\(name)' out of it")
  }

  static func inProtocol(_ attribute: String, _ name: String, _ outer: String) -> Problem {
    Problem(
      .declaredInProtocol,
      "'\(attribute)' cannot be applied to '\(name)' in the protocol '\(outer)'; move '\(name)' out of it")
  }

  static func local(_ attribute: String, _ name: String) -> Problem {
    Problem(
      .localDeclaration,
      "'\(attribute)' cannot be applied to '\(name)', which is local to a function, closure, or statement; "
        + "move '\(name)' to the top level of a file or into a type")
  }

  static func objectFormat(
    _ attribute: String, _ formats: String, atRunTime: String = "register the type at run time"
  ) -> Problem {
    Problem(
      .objectFormat,
      "'\(attribute)' requires the object file format Mach-O or ELF, but the format of this target is '\(formats)'; "
        + "exclude it with '#if objectFormat(MachO) || objectFormat(ELF)' and \(atRunTime)")
  }

  // MARK: Location of a handler

  static func localHandler(_ macro: FreeMacro) -> Problem {
    Problem(
      .localDeclaration,
      "'\(macro.name)' cannot be used in a function, closure, or statement; "
        + "move it to the top level of a file or into a type, or \(macro.atRunTime)")
  }

  static func genericHandler(_ macro: FreeMacro, _ outer: String) -> Problem {
    Problem(
      .genericType, "'\(macro.name)' cannot be used in \(genericContext(outer)); move it to the top level of the file")
  }

  static func handlerInProtocol(_ macro: FreeMacro, _ outer: String) -> Problem {
    Problem(
      .declaredInProtocol,
      "'\(macro.name)' cannot be used in the protocol '\(outer)'; move it to the top level of the file")
  }

  // MARK: Arguments

  static func serviceIsNotASelf(at range: Range<Int>?) -> Problem {
    Problem(.notALiteral, "the service must be written as 'P.self' or '(any P).self'", at: range)
  }

  static func optionalService(at range: Range<Int>?) -> Problem {
    Problem(
      .optionalService,
      "an optional is not a service, and lookups of the type that it wraps do not find it; write the type without"
        + " 'Optional' or the question mark", at: range)
  }

  static func notACase(
    _ label: String, _ cases: [String], of expanded: String = "attribute", at range: Range<Int>?
  ) -> Problem {
    let list = cases.map { "'.\($0)'" }.formatted(conjunction: "or")
    return notALiteral(label, "written as \(list)", of: expanded, at: range)
  }

  static func notAnInteger(_ label: String, of expanded: String = "attribute", at range: Range<Int>?) -> Problem {
    notALiteral(label, "an integer literal such as '10' or '-5'", of: expanded, at: range)
  }

  static func notABoolean(_ label: String, of expanded: String = "attribute", at range: Range<Int>?) -> Problem {
    notALiteral(label, "written as 'true' or 'false'", of: expanded, at: range)
  }

  static func notAString(_ label: String, of expanded: String = "attribute", at range: Range<Int>?) -> Problem {
    notALiteral(label, "a string literal such as '\"name\"'", of: expanded, at: range)
  }

  static func interpolated(_ label: String, of expanded: String = "attribute", at range: Range<Int>?) -> Problem {
    notALiteral(label, "a string literal without interpolation", of: expanded, at: range)
  }

  static func notAnArray(_ label: String, at range: Range<Int>?) -> Problem {
    Problem(
      .notALiteral,
      "'\(label)' must be an array literal of string literals such as '[\"Account.AccountModule\"]', or of types such as"
        + " '[AccountModule.self]'; the attribute cannot evaluate expressions", at: range)
  }

  private static func notALiteral(
    _ label: String, _ requirement: String, of expanded: String, at range: Range<Int>?
  ) -> Problem {
    Problem(
      .notALiteral, "\(subject(label)) must be \(requirement); the \(expanded) cannot evaluate expressions",
      at: range)
  }

  static func missingFirst(_ macro: FreeMacro) -> Problem {
    Problem(.missingArgument, "'\(macro.name)' requires \(macro.usage)")
  }

  static let missingPattern = Problem(
    .missingArgument, "'#pattern' requires one pattern, as in '#pattern(\"shop://order/:id(Int)\")'")

  static func pattern(_ reason: String, at range: Range<Int>?) -> Problem {
    Problem(.malformedPattern, "malformed URL pattern: \(reason)", at: range)
  }

  static func integerTooLarge(_ label: String, at range: Range<Int>?) -> Problem {
    Problem(.integerTooLarge, "'\(label)' does not fit in a signed 64-bit integer", at: range)
  }

  static func emptyText(_ label: String, at range: Range<Int>?) -> Problem {
    Problem(.invalidName, "\(subject(label)) must not be empty", at: range)
  }

  static func controlCharacter(_ label: String, at range: Range<Int>?) -> Problem {
    Problem(.invalidName, "\(subject(label)) must not contain control characters such as line breaks", at: range)
  }

  static func duplicate(_ label: String, _ name: String, at range: Range<Int>?) -> Problem {
    Problem(.duplicateName, "'\(label)' contains '\(name)' twice; remove one of them", at: range)
  }

  static func afterItself(_ name: String, at range: Range<Int>?) -> Problem {
    Problem(.afterItself, "module '\(name)' cannot start after itself; remove it from 'after'", at: range)
  }

  static func replacesItself(_ name: String, at range: Range<Int>?) -> Problem {
    Problem(.replacesItself, "'\(name)' cannot replace itself; remove it from 'replaces'", at: range)
  }

  static func weakValue(_ name: String, _ keyword: String, at range: Range<Int>?) -> Problem {
    Problem(
      .weakValue,
      "scope '.weak' requires a class or an actor, but '\(name)' is \(keyword.withArticle); "
        + "use '.shared' or '.transient'", at: range)
  }

  // MARK: Versions of the library and the plugin

  static func unknownArgument(_ label: String, at range: Range<Int>?) -> Problem {
    let argument = label.isEmpty ? "this argument" : "the argument '\(label)'"
    return Problem(
      .unknownArgument,
      "the plugin 'RegistryMacros' does not support \(argument); rebuild the package and the plugin", at: range)
  }

  static func unknownMacro(_ name: String) -> Problem {
    Problem(
      .unknownMacro, "the plugin 'RegistryMacros' has no macro '\(name)'; rebuild the package and the plugin")
  }

  static func unknownMessage(_ name: String) -> Problem {
    Problem(
      .unreadableMessage,
      "the plugin 'RegistryMacros' does not support the compiler's message '\(name)'; "
        + "use a toolchain that the package supports")
  }

  static func unreadableMessage(_ error: any Error) -> Problem {
    Problem(
      .unreadableMessage,
      "the plugin 'RegistryMacros' cannot read a message of the compiler: \(error); "
        + "use a toolchain that the package supports")
  }

  /// Returns the words for a context, whose name is empty if it has none, such as `[Int]`.
  static func genericContext(_ name: String) -> String {
    name.isEmpty ? "a generic type or constrained extension" : "the generic type or constrained extension '\(name)'"
  }

  /// Returns the words for an argument, or for an element of the argument that is an array.
  private static func subject(_ label: String) -> String {
    label == "after" ? "a name in 'after'" : "'\(label)'"
  }
}

extension [String] {
  /// Returns a list in words, such as of cases.
  fileprivate func formatted(conjunction: String) -> String {
    guard let last, count > 2 else { return joined(separator: " \(conjunction) ") }
    return dropLast().joined(separator: ", ") + ", \(conjunction) " + last
  }
}

extension String {
  fileprivate var withArticle: String { self == "enum" || self == "actor" ? "an \(self)" : "a \(self)" }
}
