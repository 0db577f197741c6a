// TestSupport's runner of programs, which runs outside of the Mach-O images.

@_silgen_name("host_run")
private func hostRun(_ program: String, _ arguments: [String], _ input: String, _ folder: String?) throws -> (
  status: Int32, output: String
)

public struct Command: Sendable {
  public let status: Int32
  public let output: String

  public var succeeded: Bool { status == 0 }

  public static func run(
    _ program: String, _ arguments: [String] = [], input: String = "", in folder: String? = nil
  ) throws -> Command {
    let result = try hostRun(program, arguments, input, folder)
    return Command(status: result.status, output: result.output)
  }
}
