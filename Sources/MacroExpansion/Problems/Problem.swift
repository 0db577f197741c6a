/// A problem with an attribute or its declaration, with the fix for the user.
struct Problem: Equatable {
  var message: String
  /// The range in bytes of the argument that causes the problem, or nil for the whole attribute.
  var range: Range<Int>?

  init(_ message: String, at range: Range<Int>? = nil) {
    self.message = message
    self.range = range
  }
}

// This file contains all messages. Keep them stable, because tests and searches depend on them.
extension Problem {
  // MARK: Location of the attribute

  static func notAType(_ attribute: String, _ keyword: String) -> Problem {
    let what =
      switch keyword {
      case "func": "a function"
      case "var", "let": "a property"
      case "protocol": "a protocol: put it on the type that implements it"
      case "extension": "an extension: put it on the declaration of the type"
      case "typealias": "a typealias: put it on the declaration of the type"
      case "init": "an initializer: put it on the type"
      case "case": "an enum case: put it on the enum"
      case "": "something else"
      default: "a declaration of the kind '\(keyword)'"
      }
    let kinds = attribute == "@ExportModule" ? "final classes" : "classes, structs, actors and enums"
    return Problem("\(attribute) goes on \(kinds); this is \(what)")
  }

  static func moduleIsNotAClass(_ name: String, _ keyword: String) -> Problem {
    Problem("@ExportModule goes on final classes: make the \(keyword) '\(name)' a final class")
  }

  static func moduleIsNotFinal(_ name: String) -> Problem {
    Problem("an exported module must be final: write 'final class \(name)'")
  }

  static func exportedTwice(_ name: String) -> Problem {
    Problem("'\(name)' is exported as a module already: remove this @ExportModule")
  }

  static func generic(_ attribute: String, _ name: String) -> Problem {
    Problem(
      "\(attribute) cannot export the generic type '\(name)': which types it would be made with is not known; "
        + "export a type that is not generic and wraps or inherits it")
  }

  static func inGenericContext(_ attribute: String, _ name: String, _ outer: String) -> Problem {
    Problem(
      "\(attribute) cannot export '\(name)', because '\(outer)' around it is generic or a constrained "
        + "extension: move '\(name)' out of it")
  }

  static func inProtocol(_ attribute: String, _ name: String, _ outer: String) -> Problem {
    Problem("\(attribute) cannot export '\(name)' inside the protocol '\(outer)': move it out of there")
  }

  static func local(_ attribute: String, _ name: String) -> Problem {
    Problem(
      "\(attribute) cannot export '\(name)', which exists only inside a function, a closure or a statement: "
        + "move it to the top level of a file or into a type")
  }

  static func objectFormat(
    _ attribute: String, _ formats: String, atRunTime: String = "register the type at run time"
  ) -> Problem {
    Problem(
      "\(attribute) writes its record into Mach-O and ELF files, and this target's are \(formats): leave it out "
        + "with '#if objectFormat(MachO) || objectFormat(ELF)' and \(atRunTime)")
  }

  // MARK: Location of a handler

  static func localHandler(_ macro: FreeMacro) -> Problem {
    Problem(
      "\(macro.name) stands at the top level of a file or in a type: move it out of the function, closure or statement, or "
        + "\(macro.atRunTime), which can be cancelled")
  }

  static func genericHandler(_ macro: FreeMacro, _ outer: String) -> Problem {
    Problem(
      "\(macro.name) cannot stand in \(outer.isEmpty ? "what" : "'\(outer)', which") is generic or a constrained "
        + "extension: move it to the top level of the file")
  }

  static func handlerInProtocol(_ macro: FreeMacro, _ outer: String) -> Problem {
    Problem("\(macro.name) cannot stand in the protocol '\(outer)': move it to the top level of the file")
  }

  // MARK: Arguments

  static func serviceIsNotASelf(at range: Range<Int>?) -> Problem {
    Problem("the service must be written out as 'P.self' or '(any P).self'", at: range)
  }

  static func notACase(
    _ label: String, _ cases: [String], of expanded: String = "attribute", at range: Range<Int>?
  ) -> Problem {
    let list = cases.map { ".\($0)" }.formatted(conjunction: "or")
    return Problem(
      "'\(label)' must be written out as \(list): it is read while the \(expanded) is expanded", at: range)
  }

  static func notAnInteger(_ label: String, of expanded: String = "attribute", at range: Range<Int>?) -> Problem {
    Problem(
      "'\(label)' must be an integer literal such as 10 or -5: it is read while the \(expanded) is expanded",
      at: range)
  }

  static func notABoolean(_ label: String, of expanded: String = "attribute", at range: Range<Int>?) -> Problem {
    Problem("'\(label)' must be written out as true or false: it is read while the \(expanded) is expanded", at: range)
  }

  static func missingFirst(_ macro: FreeMacro) -> Problem { Problem("\(macro.name) wants \(macro.usage)") }

  static let missingPattern = Problem("#pattern wants a pattern: '#pattern(\"shop://order/:id(Int)\")'")

  static func pattern(_ reason: String, at range: Range<Int>?) -> Problem {
    Problem("this is no pattern of URLs: \(reason)", at: range)
  }

  static func integerTooLarge(_ label: String, at range: Range<Int>?) -> Problem {
    Problem("'\(label)' does not fit into 64 bits", at: range)
  }

  static func notAString(_ label: String, of expanded: String = "attribute", at range: Range<Int>?) -> Problem {
    Problem(
      "'\(label)' must be a string literal such as \"name\": it is read while the \(expanded) is expanded",
      at: range)
  }

  static func interpolated(_ label: String, of expanded: String = "attribute", at range: Range<Int>?) -> Problem {
    Problem(
      "'\(label)' must be a string literal without interpolation: it is read while the \(expanded) is expanded",
      at: range)
  }

  static func notAnArray(_ label: String, at range: Range<Int>?) -> Problem {
    Problem(
      "'\(label)' must be an array literal of string literals such as [\"Account.AccountModule\"]: "
        + "it is read while the attribute is expanded", at: range)
  }

  static func emptyText(_ label: String, at range: Range<Int>?) -> Problem {
    Problem("'\(label)' must not hold an empty name", at: range)
  }

  static func controlCharacter(_ label: String, at range: Range<Int>?) -> Problem {
    Problem("'\(label)' must not hold control characters such as line breaks", at: range)
  }

  static func duplicate(_ label: String, _ name: String, at range: Range<Int>?) -> Problem {
    Problem("'\(label)' names \"\(name)\" twice: remove one of them", at: range)
  }

  static func afterItself(_ name: String, at range: Range<Int>?) -> Problem {
    Problem("\"\(name)\" cannot come after itself: remove it from 'after'", at: range)
  }

  static func weakValue(_ name: String, _ keyword: String, at range: Range<Int>?) -> Problem {
    Problem(
      "'.weak' is for classes and actors, which can be held weakly, and '\(name)' is \(keyword.withArticle): "
        + "use .shared or .transient", at: range)
  }

  static func unknownArgument(_ label: String, at range: Range<Int>?) -> Problem {
    Problem(
      "RegistryMacros does not know the argument '\(label)': build the package and its plugin again",
      at: range)
  }
}

extension [String] {
  /// Returns a list in words, such as of cases.
  fileprivate func formatted(conjunction: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}

extension String {
  fileprivate var withArticle: String { self == "enum" || self == "actor" ? "an \(self)" : "a \(self)" }
}
