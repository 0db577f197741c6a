// The compiler plugin that expands the export macros. The compiler starts it, sends requests over
// standard input, and reads the responses from standard output. It needs no swift-syntax: an export
// macro reads the name of a type and a few literals, and a scanner finds those.
//
// The code is in MacroExpansion. A test that links the plugin itself makes SwiftPM build every
// library of the package a second time for the host, which doubles the time of a test build.

import MacroExpansion

/// The executable, which answers the requests of the compiler until it closes the connection.
@main
enum Plugin {
  static func main() { answerCompiler() }
}
