// The compiler plugin that expands all macros except `#pattern`. The compiler starts it, sends
// requests over standard input, and reads responses from standard output. The plugin doesn't need
// swift-syntax, because a scanner can find the names and literals that records contain.
//
// The code is in MacroExpansion. A test that links the plugin itself would make SwiftPM build every
// library a second time for the host, doubling the time of a test build.

import MacroExpansion

@main
enum Plugin {
  static func main() { answerCompiler() }
}
