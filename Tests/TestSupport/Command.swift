import Foundation

/// The result of a program that has ended.
public struct Command: Sendable {
  /// The exit status, or the sum of 128 and the number of the signal that ended the program.
  public let status: Int32
  /// The text of both output streams.
  public let output: String

  public var succeeded: Bool { status == 0 }

  public struct CouldNotStart: Error {
    public let program: String
    public let reason: String
  }

  /// Runs a program until it ends, and blocks the calling thread meanwhile.
  ///
  /// The function uses `posix_spawn` and files rather than Foundation's `Process` and pipes.
  /// `Process` forks, which the ThreadSanitizer runtime does not survive while other threads start,
  /// and its pipes fail when a signal interrupts them.
  ///
  /// - Parameters:
  ///   - program: A path, or a name to search for in `PATH`.
  ///   - input: The standard input of the program.
  ///   - folder: The working directory of the program.
  public static func run(
    _ program: String, _ arguments: [String] = [], input: String = "", in folder: String? = nil
  ) throws -> Command {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let (source, sink) = (scratch.appendingPathComponent("in").path, scratch.appendingPathComponent("out").path)
    try Data(input.utf8).write(to: URL(fileURLWithPath: source))

    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, source, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, sink, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)

    // A shell changes the folder, because not every C library has the corresponding file action.
    let shell = folder.map { ["sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
    var words = (shell + [program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let problem = posix_spawnp(&process, words[0]!, &actions, nil, &words, environ)
    guard problem == 0 else { throw CouldNotStart(program: program, reason: String(cString: strerror(problem))) }

    var state: Int32 = 0
    while waitpid(process, &state, 0) == -1, errno == EINTR {}
    let signal = state & 0x7f
    return Command(
      status: signal == 0 ? (state >> 8) & 0xff : 128 + signal,
      output: String(decoding: try contents(of: sink), as: UTF8.self))
  }
  /// Returns the contents of a file.
  ///
  /// The function reads from a file handle, because `Data(contentsOf:)` leaks its buffer if the
  /// file is empty.
  private static func contents(of path: String) throws -> Data {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    return try file.readToEnd() ?? Data()
  }
}
