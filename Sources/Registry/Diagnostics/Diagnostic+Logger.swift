#if canImport(os)
public import os

extension Diagnostic {
  /// Returns a handler that writes diagnostics to the unified logging system.
  ///
  /// ```swift
  /// let log = Logger(subsystem: "com.example.shop", category: "registry")
  /// services.onDiagnostic = Diagnostic.toLogger(log)
  /// ```
  ///
  /// The system stores warnings and errors at the same level, so each line states its severity. The
  /// lines are public, because the system would otherwise show `<private>` in their place. They can
  /// contain type names and the errors that your code throws.
  ///
  /// - Parameter logger: The logger that receives the lines.
  public static func toLogger(_ logger: Logger) -> @Sendable (Diagnostic) -> Void {
    { diagnostic in
      switch diagnostic.severity {
      case .warning: logger.warning("\(diagnostic.description, privacy: .public)")
      case .error: logger.error("\(diagnostic.description, privacy: .public)")
      }
    }
  }
}
#endif
