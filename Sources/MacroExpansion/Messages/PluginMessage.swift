// What the plugin answers. The synthesized coding is the format: one key, the case's name.

/// An answer to the compiler.
enum PluginMessage: Codable, Equatable {
  case getCapabilityResult(capability: Capability)
  case expandMacroResult(expandedSource: String?, diagnostics: [Diagnostic])
  case loadPluginLibraryResult(loaded: Bool, diagnostics: [Diagnostic])

  /// What the plugin can do.
  struct Capability: Codable, Equatable {
    /// The protocol's version that these messages belong to.
    var protocolVersion = 7
    /// Nothing beyond expanding macros.
    var features: [String] = []
  }

  /// An error at a place in the user's source.
  struct Diagnostic: Codable, Equatable {
    var message: String
    var severity = "error"
    var position: Position
    var highlights: [Range] = []
    var notes: [Note] = []
    var fixIts: [FixIt] = []
  }

  /// A place in a file, in UTF-8 bytes from its start.
  struct Position: Codable, Equatable {
    var fileName: String
    var offset: Int
  }

  /// A stretch of a file.
  struct Range: Codable, Equatable {
    var fileName: String
    var startOffset: Int
    var endOffset: Int
  }

  /// A remark that goes with a diagnostic.
  struct Note: Codable, Equatable {
    var position: Position
    var message: String
  }

  /// A change that would mend what is wrong.
  struct FixIt: Codable, Equatable {
    var message: String
    var changes: [Change]
  }

  /// One replacement of a fix-it.
  struct Change: Codable, Equatable {
    var range: Range
    var newText: String
  }

  /// An answer that is one error without a place.
  static func failure(_ message: String) -> PluginMessage {
    .expandMacroResult(
      expandedSource: nil,
      diagnostics: [Diagnostic(message: message, position: Position(fileName: "", offset: 0))])
  }
}
