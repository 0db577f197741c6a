extension Problem {
  /// The stable identifier at the end of a message. See Documentation/DiagnosticCodes.txt.
  enum Code: String, CaseIterable {
    case notAType = "not-a-type"
    case notAFinalClass = "not-a-final-class"
    case nearMiss = "near-miss"
    case exportedTwice = "exported-twice"
    case genericType = "generic-type"
    case declaredInProtocol = "declared-in-protocol"
    case localDeclaration = "local-declaration"
    case objectFormat = "object-format"
    case notALiteral = "not-a-literal"
    case optionalService = "optional-service"
    case missingArgument = "missing-argument"
    case malformedPattern = "malformed-pattern"
    case integerTooLarge = "integer-too-large"
    case invalidName = "invalid-name"
    case duplicateName = "duplicate-name"
    case afterItself = "after-itself"
    case replacesItself = "replaces-itself"
    case weakValue = "weak-value"
    case invalidProperty = "invalid-property"
    case observedProperty = "observed-property"
    case unknownArgument = "unknown-argument"
    case unknownMacro = "unknown-macro"
    case unreadableMessage = "unreadable-message"
  }
}
