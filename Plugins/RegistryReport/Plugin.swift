import Foundation
import PackagePlugin

/// The plugin that builds a package's products and writes a report about their registrations.
@main struct RegistryReport: CommandPlugin {
  private static let help = """
    usage: swift package registry-report [--product NAME]… [--configuration debug|release] [-o FILE]
           [--format html|json] [--title TITLE] [--trace FILE] [--registered NAME]… [--arch ARCH]

    Builds the executables, static libraries, and dynamic libraries of the package, and writes a page about what they
    register; see 'registry-tool report --help'.

      --product NAME           read only this product; you can repeat the option
      --configuration CONFIG   debug (the default) or release
      -o FILE                  write to this file and not into the build folder; on macOS, also pass
                               --allow-writing-to-directory FOLDER before registry-report
      --format FORMAT          html (the default) or json, for check-registrations --baseline
      --title TITLE            the heading of the page
      --trace FILE             show the launch in this trace
      --registered NAME        the service, route, or module is registered in code; you can repeat the option
      --arch ARCH              read only this slice of universal files
    """

  func performCommand(context: PluginContext, arguments: [String]) throws {
    let command = try Arguments(
      arguments, paths: ["-o"], pathsOfTool: ["--trace"], others: ["--format", "--title", "--registered", "--arch"])
    if command.wantsHelp { return print(Self.help) }
    let files = relative(try files(of: context.package, command), to: context.package)
    let isJSON = zip(command.others, command.others.dropFirst()).contains { $0 == ("--format", "json") }
    let output =
      command.paths["-o"]
      ?? context.pluginWorkDirectoryURL.appendingPathComponent("registrations.\(isJSON ? "json" : "html")").path
    let status = try runTool(
      ["report", "--separate", "-o", output] + command.others + ["--"] + files, in: context.package, command)
    guard status == 0 else { throw Failure("check-failed", "the products cannot be read; see the errors above") }
    print("Wrote \(output)")
  }
}
