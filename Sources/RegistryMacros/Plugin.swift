// The compiler plugin behind the export attributes. The compiler starts it, asks over standard input and
// reads the answers from standard output. It needs no swift-syntax: an export attribute wants a type's name
// and a few literals, and a scanner finds those.

/// The executable: answers the compiler until it hangs up.
///
/// A `@main` type and no top-level code, so that a test target can link what it tests.
@main
enum Plugin {
  static func main() {
    var session = Session()
    let channel = FileDescriptorChannel.standard()
    serve(channel) { session.answer($0) }
  }
}
