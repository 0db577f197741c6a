struct LexicalContext: Equatable {
  /// The enclosing types, outermost first, without backticks.
  var path: [String] = []
  /// The reason that no record can be declared here, or nil.
  var obstacle: Obstacle?

  var hasAvailability = false
  /// The compilation conditions that exclude an enclosing declaration.
  var absence: [String] = []

  enum Obstacle: Equatable {
    case local
    case generic(String)
    case inProtocol(String)
  }

  var isInType: Bool { !path.isEmpty }

  /// Reads the enclosing declarations.
  ///
  /// - Parameters:
  ///   - contexts: The enclosing declarations without their bodies, innermost first.
  ///   - discriminator: The compiler's name for the expansion. It contains `_$l` in local code,
  ///     even in top-level statements and getters without `get`, which `contexts` lacks.
  ///   - module: The module that is being compiled.
  init(_ contexts: [MacroRequest.Syntax], discriminator: String, module: String) {
    if discriminator.contains("_$l") { obstacle = .local }
    for context in contexts {
      guard context.kind == "declaration" else {
        obstacle = .local
        return
      }
      let declaration = Declaration(Source(context.source, isHeader: true))
      if declaration.availability.contains(where: \.isIntroduction) { hasAvailability = true }
      absence += declaration.availability.absence
      switch declaration.keyword {
      case "class", "struct", "enum", "actor":
        path = declaration.path + path
      case "extension":
        // Without `::`, the path may begin with the module, which isn't part of a type's path.
        let isQualified = !declaration.hasModule && declaration.path.count > 1 && declaration.path[0] == module
        path = declaration.path.dropFirst(isQualified ? 1 : 0) + path
      case "protocol":
        obstacle = obstacle ?? .inProtocol(declaration.name)
      case let keyword where keyword.hasPrefix("#"):
        // The code is a macro's argument, so only the macro's enclosing types matter.
        continue
      default:
        obstacle = .local
      }
      if declaration.isGeneric { obstacle = obstacle ?? .generic(declaration.name) }
    }
  }
}
