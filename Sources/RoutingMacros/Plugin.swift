// The compiler plugin that expands `#pattern`, in a separate target so that only clients of Routing
// build it and the pattern parser. It can expand all other macros as well.

import MacroExpansion
import RoutePatterns

@main
enum Plugin {
  static func main() { answerCompiler(checkingPatterns: PatternSyntax.problem) }
}
