import Foundation
import Testing

@testable import MacroExpansion

/// Returns a temporary file with bytes, at its start.
private func file(_ bytes: [UInt8] = []) throws -> File {
  let file = try #require(tmpfile())
  fwrite(bytes, 1, bytes.count, file)
  rewind(file)
  return file
}

/// Returns the frame of a message.
private func frame(_ message: String) -> [UInt8] {
  let bytes = Array(message.utf8)
  return (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
}

/// Returns the plugin's responses to a sequence of frames.
private func responses(_ input: [UInt8]) throws -> [Data] {
  let (input, output) = (try file(input), try file())
  defer {
    fclose(input)
    fclose(output)
  }
  var session = Session()
  serve(input, output) { session.answer($0) }
  rewind(output)
  return sequence(state: output) { readFrame($0) }.map { Data($0) }
}

private func converse(_ input: [UInt8]) throws -> [PluginMessage] {
  try responses(input).map { try JSONDecoder().decode(PluginMessage.self, from: $0) }
}

private let capability = #"{"getCapability":{"capability":{"protocolVersion":7}}}"#

private func attached(macro: String = "ExportServiceMacro", attribute: String = "@ExportService(P.self)")
  -> String
{
  """
  {"expandAttachedMacro":{"macro":{"moduleName":"RegistryMacros","typeName":"\(macro)","name":"ExportService"},\
  "macroRole":"peer","discriminator":"$s1a1A13ExportServicefMp_","attributeSyntax":{"kind":"attribute","source":\
  "\(attribute)","location":{"fileID":"a/a.swift","fileName":"a.swift","offset":7,"line":1,"column":1}},"declSyntax":\
  {"kind":"declaration","source":"struct A {}","location":{"fileID":"a/a.swift","fileName":"a.swift","offset":7,\
  "line":1,"column":1}},"lexicalContext":[],"staticBuildConfiguration":"{\\"features\\":[\\"BareSlashRegexLiterals\\"],\
  \\"targetObjectFileFormats\\":[\\"ELF\\"],\\"endianness\\":\\"little\\"}","later":1}}
  """
}

private func freestanding(macro: String = "OnEventMacro") -> String {
  """
  {"expandFreestandingMacro":{"macro":{"moduleName":"RegistryMacros","typeName":"\(macro)","name":"onEvent"},\
  "macroRole":"declaration","discriminator":"$s1a7onEventfMf_","syntax":{"kind":"declaration","source":\
  "// c\\n  #onEvent(.ping) { _ in }","location":{"fileID":"a/a.swift","fileName":"a.swift","offset":5,"line":3,"column":1}},\
  "lexicalContext":[],"staticBuildConfiguration":"{\\"targetObjectFileFormats\\":[\\"ELF\\"]}"}}
  """
}

@Suite(.timeLimit(.minutes(20))) struct MessageLoopTests {
  @Test func `The capability is protocol version seven`() throws {
    #expect(
      try converse(frame(capability)) == [
        .getCapabilityResult(capability: .init(protocolVersion: 7, features: []))
      ])
  }

  @Test func `An attribute is expanded`() throws {
    let answers = try converse(frame(capability) + frame(attached()) + frame(attached()))
    #expect(answers.count == 3)
    guard case .expandMacroResult(let source?, let diagnostics) = answers[1] else {
      Issue.record("no expansion: \(answers[1])")
      return
    }
    #expect(source.contains("private let __service_A: ("))
    #expect(diagnostics.isEmpty)
    #expect(answers[2] == answers[1])
  }

  @Test func `A freestanding macro is expanded`() throws {
    guard
      case .expandMacroResult(let source?, let diagnostics) = try #require(try converse(frame(freestanding())).first)
    else {
      Issue.record("no expansion")
      return
    }
    #expect(json(source) == #"{"event":".ping","handler":"a/a.swift:4:3"}"#)
    #expect(diagnostics.isEmpty)
  }

  @Test func `The answers have the shape that the compiler reads`() throws {
    let objects = try responses(frame(capability) + frame(attached(attribute: "@ExportService(P)"))).map {
      try #require(try JSONSerialization.jsonObject(with: $0) as? NSDictionary)
    }
    #expect(
      objects[0] == ["getCapabilityResult": ["capability": ["protocolVersion": 7, "features": [Any]()]]])
    #expect(
      objects[1] == [
        "expandMacroResult": [
          "diagnostics": [
            [
              "message": "the service must be written as 'P.self' or '(any P).self' [not-a-literal]",
              "severity": "error",
              "position": ["fileName": "a.swift", "offset": 22],
              "highlights": [["fileName": "a.swift", "startOffset": 22, "endOffset": 23]], "notes": [Any](),
              "fixIts": [Any](),
            ]
          ]
        ]
      ])
  }

  @Test func `An unknown macro is named`() throws {
    for message in [freestanding(macro: "OtherMacro"), attached(macro: "OtherMacro")] {
      guard case .expandMacroResult(nil, let diagnostics) = try #require(try converse(frame(message)).first)
      else {
        Issue.record("expanded")
        continue
      }
      #expect(
        diagnostics.map(\.message) == [
          "the compiler plugin has no macro 'OtherMacro'; rebuild the package and the plugin [unknown-macro]"
        ])
      #expect(diagnostics.first?.position.fileName == "a.swift")
    }
  }

  @Test func `A library is not loaded`() throws {
    #expect(
      try converse(frame(#"{"loadPluginLibrary":{"libraryPath":"/x","moduleName":"X"}}"#))
        == [.loadPluginLibraryResult(loaded: false, diagnostics: [])])
  }

  @Test func `Every escape sequence of JSON is read`() throws {
    let text = #" { "a\"\\\/" : [ "\b\f\n\r\t\u00e9\uD83D\uDE00é" , -7 , 1.5e3 , true , null , { } , [ ] ] , "b":"" } "#
    let message = try #require(JSONValue(text.utf8))
    #expect(message.members.keys.sorted() == [#"a"\/"#, "b"])
    let elements = try #require(message[#"a"\/"#].elements)
    #expect(elements.count == 7)
    #expect(elements[0].string == "\u{8}\u{C}\n\r\té😀é")
    #expect(elements[1].integer == -7)
    #expect(message["b"].string?.isEmpty == true)
  }

  @Test(arguments: [
    "", "{", #"{"a"#, #"{"a""#, #"{"a":"#, #"{"a":}"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, "{a:1}", "[", "[1", "[1,",
    "[,]", "[1 2]", "[1}", "1 2", "]", "\"", #""\"#, #""\""#, #""\u"#, #""\u12"#, #""\ud83d\"#, #""\ud83d\u"#,
    #""\u00g0""#,
    String(repeating: "[", count: 100_000), String(repeating: "[", count: 101) + String(repeating: "]", count: 101),
  ])
  func `Text that isn't JSON is rejected`(text: String) { #expect(JSONValue(text.utf8) == nil) }

  @Test(arguments: [
    "{", "[]", "null", "\"x\"", "{}", #"{"a":1,"b":2}"#, #"{"later":{}}"#, #"{"expandAttachedMacro":{}}"#,
    #"{"expandFreestandingMacro":[]}"#, "\u{0}",
  ])
  func `A message that cannot be read gets an error, and the next one its answer`(message: String) throws {
    let answers = try converse(frame(message) + frame(capability))
    #expect(answers.count == 2)
    guard case .expandMacroResult(nil, let diagnostics) = answers[0] else {
      Issue.record("answered \(answers[0])")
      return
    }
    #expect(diagnostics.first?.message.hasPrefix("the compiler plugin ") == true)
    #expect(diagnostics.first?.message.hasSuffix(" [unreadable-message]") == true)
    #expect(answers[1] == .getCapabilityResult(capability: .init()))
  }

  @Test func `A message of a later compiler is named`() throws {
    #expect(
      try converse(frame(#"{"later":{}}"#)) == [
        .expandMacroResult(
          expandedSource: nil,
          diagnostics: [
            .init(
              message: "the compiler plugin does not support the compiler's message 'later'; "
                + "use a toolchain that the package supports [unreadable-message]",
              position: .init(fileName: "", offset: 0))
          ])
      ])
  }

  @Test func `Bytes that are not UTF-8 get an error`() throws {
    let bytes: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe, 0x80]
    #expect(try converse(bytes).count == 1)
  }

  @Test func `An empty frame ends the conversation`() throws {
    #expect(try converse(frame(capability) + frame("") + frame(capability)).count == 1)
  }

  @Test func `The end, a broken frame and an absurd length end the conversation`() throws {
    #expect(try converse([]).isEmpty)
    #expect(try converse([1, 2, 3]).isEmpty)
    #expect(try converse(frame(capability).dropLast()).isEmpty)
    #expect(try converse(Array(repeating: 0xff, count: 64)).isEmpty)
  }

  @Test func `A closed output ends the conversation`() throws {
    let (input, output) = (try file(frame(capability) + frame(capability)), try #require(fopen("/dev/null", "r")))
    defer {
      fclose(input)
      fclose(output)
    }
    var session = Session()
    var answered = 0
    serve(input, output) {
      answered += 1
      return session.answer($0)
    }
    #expect(answered == 1)
  }

  @Test func `The plugin answers on its standard output until its input ends, and other output is redirected`()
    async
  {
    await #expect(processExitsWith: .success) {
      var (question, answer): ([CInt], [CInt]) = ([0, 0], [0, 0])
      guard pipe(&question) == 0, pipe(&answer) == 0 else { exit(2) }
      let asked = frame(capability)
      guard write(question[1], asked, asked.count) == asked.count else { exit(3) }
      close(question[1])
      dup2(question[0], 0)
      dup2(answer[1], 1)
      close(answer[1])
      answerCompiler()
      // Standard output has been redirected to standard error.
      print("between the frames")
      fflush(nil)
      var bytes = [UInt8](repeating: 0, count: 1_000)
      let count = read(answer[0], &bytes, bytes.count)
      let answered = Array(bytes.prefix(max(0, count)))
      guard let message = try? readFrame(file(answered)),
        let decoded = try? JSONDecoder().decode(PluginMessage.self, from: Data(message))
      else { exit(4) }
      exit(decoded == .getCapabilityResult(capability: .init()) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
