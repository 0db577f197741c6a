// The compiler plugin that expands the export macros. The compiler starts it, sends requests over
// standard input, and reads responses from standard output. It doesn't need swift-syntax: a scanner
// can find the name of a type and a few literals.
//
// The code is in MacroExpansion. A test that links the plugin itself would make SwiftPM build every
// library a second time for the host, doubling the time of a test build.

import MacroExpansion

@main
enum Plugin {
  static func main() { answerCompiler() }
}
