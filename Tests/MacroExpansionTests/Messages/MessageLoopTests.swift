import Foundation
import Testing

@testable import MacroExpansion

/// A channel over bytes in memory that returns only a few of them per read.
private final class MemoryChannel: Channel {
  var input: [UInt8]
  var output: [UInt8] = []
  var capacity = Int.max

  init(_ input: [UInt8]) {
    self.input = input
  }

  func receive(upTo count: Int) -> [UInt8] {
    let part = input.prefix(min(count, 3))
    input.removeFirst(part.count)
    return Array(part)
  }

  func send(_ bytes: [UInt8]) -> Bool {
    capacity -= 1
    guard capacity >= 0 else { return false }
    output += bytes
    return true
  }
}

/// Returns the frame of a message.
private func frame(_ message: String) -> [UInt8] {
  let bytes = Array(message.utf8)
  return (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
}

/// Returns the messages in a sequence of frames.
private func messages(_ bytes: [UInt8]) throws -> [PluginMessage] {
  var messages: [PluginMessage] = []
  let channel = MemoryChannel(bytes)
  while let message = readFrame(channel) {
    messages.append(try JSONDecoder().decode(PluginMessage.self, from: Data(message)))
  }
  return messages
}

/// Returns the plugin's responses to a sequence of frames.
private func converse(_ input: [UInt8]) throws -> [PluginMessage] {
  let channel = MemoryChannel(input)
  var session = Session()
  serve(channel) { session.answer($0) }
  return try messages(channel.output)
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
    let channel = MemoryChannel(frame(capability) + frame(attached(attribute: "@ExportService(P)")))
    var session = Session()
    serve(channel) { session.answer($0) }
    var objects: [NSDictionary] = []
    let output = MemoryChannel(channel.output)
    while let message = readFrame(output) {
      objects.append(try #require(try JSONSerialization.jsonObject(with: Data(message)) as? NSDictionary))
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

  @Test func `A closed output ends the conversation`() {
    let channel = MemoryChannel(frame(capability) + frame(capability))
    channel.capacity = 0
    var session = Session()
    var answered = 0
    serve(channel) {
      answered += 1
      return session.answer($0)
    }
    #expect(answered == 1)
  }

  @Test func `Frames pass through pipes whole`() throws {
    let toPlugin = Pipe()
    let fromPlugin = Pipe()
    // The message is long, but must fit into the pipe's buffer, because one thread writes and reads
    // it.
    let text = frame(
      attached(
        attribute: "@ExportService(P.self, named: \\\"" + String(repeating: "é", count: 15_000) + "\\\")"))
    toPlugin.fileHandleForWriting.write(Data(frame(capability) + text))
    try toPlugin.fileHandleForWriting.close()
    let channel = FileDescriptorChannel(
      input: toPlugin.fileHandleForReading.fileDescriptor,
      output: fromPlugin.fileHandleForWriting.fileDescriptor)
    #expect(readFrame(channel).map { String(decoding: $0, as: UTF8.self) } == capability)
    #expect(readFrame(channel)?.count == text.count - 8)
    #expect(readFrame(channel) == nil)
    let answer = Array(repeating: UInt8(7), count: 30_000)
    #expect(writeFrame(answer, to: channel))
    try fromPlugin.fileHandleForWriting.close()
    let sent = [UInt8](fromPlugin.fileHandleForReading.readDataToEndOfFile())
    #expect(sent == [0x30, 0x75, 0, 0, 0, 0, 0, 0] + answer)
  }

  @Test func `A channel whose files cannot be used has no input and takes no output`() {
    let channel = FileDescriptorChannel(input: -1, output: -1)
    #expect(channel.receive(upTo: 8).isEmpty)
    #expect(!channel.send([1]))
  }

  @Test func `An interruption of an earlier call does not repeat a later one`() {
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    // If the channel repeats a call that has succeeded, the second call fails instead of blocking.
    for end in ends { #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
    let channel = FileDescriptorChannel(input: ends[0], output: ends[1])
    errno = EINTR
    #expect(channel.send([1, 2]))
    errno = EINTR
    #expect(channel.receive(upTo: 8) == [1, 2])
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
      guard count > 0, let messages = try? messages(Array(bytes.prefix(count))) else { exit(4) }
      exit(messages == [.getCapabilityResult(capability: .init())] ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
