import Foundation
import PackagePlugin

/// The plugin that builds a package's products and checks their registrations.
@main struct CheckRegistrations: CommandPlugin {
  private static let help = """
    usage: swift package check-registrations [--product NAME]… [--configuration debug|release] [--expect LIST]
           [--built-from PATH]… [--baseline SNAPSHOT] [--registered NAME]… [--arch ARCH]

    Builds the executables, static libraries, and dynamic libraries of the package, and finds registrations that would
    fail at run time; see 'registry-tool check --help'.

      --product NAME           check only this product; you can repeat the option
      --configuration CONFIG   debug (the default) or release
      --expect LIST            the records that must be present: the output of registry-tool list --format json
      --built-from PATH        an object, an archive, or a folder of them, whose records the products must contain, like
                               those of the package's binary targets; you can repeat the option
      --baseline SNAPSHOT      also compare with this snapshot, the output of registry-report --format json, and fail if
                               a change is breaking; see 'registry-tool diff --help'
      --registered NAME        the service, route, or module is registered in code; you can repeat the option
      --arch ARCH              read only this slice of universal files
    """

  func performCommand(context: PluginContext, arguments: [String]) throws {
    let command = try Arguments(
      arguments, paths: ["--baseline"], pathsOfTool: ["--expect", "--built-from"], others: ["--registered", "--arch"])
    if command.wantsHelp { return print(Self.help) }
    let files = try files(of: context.package, command)
    for file in files { print("Checking \(file)") }
    // A package's products can run in different processes.
    let status = try runTool(
      ["check", "--separate"] + inputs(of: context.package, command) + command.others + ["--"] + files,
      in: context.package, command)
    // The check has reported files that can't be read, which the comparison would repeat.
    guard 0...1 ~= status else {
      throw Failure("check-failed", "the products cannot be checked; see the errors above")
    }
    let comparison = Result {
      if let baseline = command.paths["--baseline"] {
        try compare(relative(files, to: context.package), with: baseline, context, command)
      }
    }
    guard status == 0 else {
      if case .failure(let failure) = comparison { Diagnostics.error("\(failure)") }
      throw Failure("problems-found", "registrations of the products would fail at run time; see the problems above")
    }
    try comparison.get()
  }

  /// Returns the options for the archives of binary targets. The linker omits unused members of
  /// these archives, but keeps all objects of other targets.
  private func inputs(of package: Package, _ command: Arguments) throws -> [String] {
    let targets = linkedTargets(of: try products(of: package, named: command.products))
    let paths = targets.compactMap { ($0 as? BinaryArtifactTarget)?.artifactURL.path }
    return Set(paths).sorted().flatMap { ["--built-from", $0] }
  }

  /// Prints the changes since the baseline.
  private func compare(
    _ files: [String], with baseline: String, _ context: PluginContext, _ command: Arguments
  ) throws {
    let current = context.pluginWorkDirectoryURL.appendingPathComponent("registrations.json").path
    let options = command.others.enumerated().filter { index, _ in
      // These options apply only to the check.
      !["--expect", "--built-from"].contains(command.others[index - index % 2])
    }.map(\.element)
    let report = ["report", "--separate", "--format", "json", "-o", current] + options + ["--"] + files
    guard try runTool(report, in: context.package, command) == 0 else {
      throw Failure("check-failed", "the products cannot be checked; see the errors above")
    }
    let status = try runTool(["diff", "--", baseline, current], in: context.package, command)
    guard status == 0 else {
      throw status == 1
        ? Failure(
          "problems-found",
          "changes since the baseline are breaking; see them above, or, if they are intended, write the baseline again with"
            + " 'swift package registry-report --format json'")
        : Failure("check-failed", "the products cannot be compared with the baseline; see the errors above")
    }
  }
}
