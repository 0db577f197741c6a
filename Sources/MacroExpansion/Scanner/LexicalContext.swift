/// Where a type is declared.
struct LexicalContext: Equatable {
  /// The types around it, outermost first, without backticks.
  var path: [String] = []
  /// What keeps a record from being written here; nil when nothing does.
  var obstacle: Obstacle?

  /// Whether something around it is for newer systems only.
  var hasAvailability = false
  /// The platforms on which something around it does not exist.
  var absence = Absence()

  enum Obstacle: Equatable {
    /// In a function, closure or accessor.
    case local
    /// In a generic type, or a constrained extension.
    case generic(String)
    /// In a protocol.
    case inProtocol(String)
  }

  /// Whether a record stands in a type, so that its constant has to be static.
  var isInType: Bool { !path.isEmpty }

  /// Judges what is around a declaration.
  ///
  /// - Parameters:
  ///   - contexts: The enclosing declarations without their bodies, innermost first.
  ///   - discriminator: The compiler's name for the expansion, in which names of local types carry `_$l`. That
  ///     shows what the contexts do not: a statement at the top level, a getter without `get`.
  ///   - module: The module that is being compiled.
  init(_ contexts: [HostMessage.Syntax], discriminator: String, module: String) {
    if Self.isLocal(discriminator) { obstacle = .local }
    for context in contexts {
      guard context.kind == "declaration" else {
        obstacle = .local
        return
      }
      let declaration = Declaration(Source(header: context.source))
      if declaration.availability.contains(where: \.isIntroduction) { hasAvailability = true }
      absence.formUnion(Absence(declaration.availability))
      switch declaration.keyword {
      case "class", "struct", "enum", "actor":
        path = declaration.path + path
      case "extension":
        // Written with its module in front, or without: the same type.
        let isQualified = declaration.path.count > 1 && declaration.path[0] == module
        path = declaration.path.dropFirst(isQualified ? 1 : 0) + path
      case "protocol":
        obstacle = obstacle ?? .inProtocol(declaration.name)
      case let keyword where keyword.hasPrefix("#"):
        // The arguments of a macro; the types around it decide.
        continue
      default:
        obstacle = .local
      }
      if declaration.isGeneric { obstacle = obstacle ?? .generic(declaration.name) }
    }
  }

  private static func isLocal(_ discriminator: String) -> Bool {
    let mark = Array("_$l".utf8)
    let bytes = Array(discriminator.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: mark) }
  }
}
