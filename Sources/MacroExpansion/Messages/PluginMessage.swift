// The answers of the plugin. Their synthesized coding has the compiler's format: an object with one
// key, which is the name of the case.

/// An answer to the compiler.
enum PluginMessage: Codable, Equatable {
  case getCapabilityResult(capability: Capability)
  case expandMacroResult(expandedSource: String?, diagnostics: [Diagnostic])
  case loadPluginLibraryResult(loaded: Bool, diagnostics: [Diagnostic])

  /// The capabilities of the plugin.
  struct Capability: Codable, Equatable {
    /// The version of the protocol that defines these messages.
    var protocolVersion = 7
    /// The optional features of the plugin, which has none.
    var features: [String] = []
  }

  /// An error or a warning at a position in the user's source.
  struct Diagnostic: Codable, Equatable {
    var message: String
    var severity = "error"
    var position: Position
    var highlights: [Range] = []
    var notes: [Note] = []
    var fixIts: [FixIt] = []
  }

  /// A position in a file, in UTF-8 bytes from its start.
  struct Position: Codable, Equatable {
    var fileName: String
    var offset: Int
  }

  /// A range in a file.
  struct Range: Codable, Equatable {
    var fileName: String
    var startOffset: Int
    var endOffset: Int
  }

  /// A note that belongs to a diagnostic.
  struct Note: Codable, Equatable {
    var position: Position
    var message: String
  }

  /// A change that fixes the problem.
  struct FixIt: Codable, Equatable {
    var message: String
    var changes: [Change]
  }

  /// A replacement of a fix-it.
  struct Change: Codable, Equatable {
    var range: Range
    var newText: String
  }

  /// Creates an answer with one error that has no position.
  static func failure(_ message: String) -> PluginMessage {
    .expandMacroResult(
      expandedSource: nil,
      diagnostics: [Diagnostic(message: message, position: Position(fileName: "", offset: 0))])
  }
}
