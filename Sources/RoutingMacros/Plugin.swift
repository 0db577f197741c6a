// The compiler plugin that expands `#pattern`. It is a target of its own, so that only clients of
// Routing build it and the parser of patterns. It can expand all other macros as well.

import MacroExpansion
import RoutePatterns

/// The executable, which answers the requests of the compiler until it closes the connection.
@main
enum Plugin {
  static func main() { answerCompiler(checkingPatterns: PatternSyntax.problem) }
}
