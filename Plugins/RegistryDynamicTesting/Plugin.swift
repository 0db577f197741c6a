import Foundation
import PackagePlugin

/// The plugin that compiles the Swift Testing trait as part of a test target.
///
/// A library product with the trait would contain a second, static copy of the library, because a
/// target can't depend on `RegistryDynamic`, a product of its own package. The copied source file
/// uses the copy of the library that the test target links.
@main struct RegistryDynamicTesting: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/RegistryTesting/ServicesTrait.swift").standardizedFileURL
    let copy = context.pluginWorkDirectoryURL.appendingPathComponent(source.lastPathComponent)
    return [
      .buildCommand(
        displayName: "Copying \(source.lastPathComponent) to \(target.name)",
        executable: URL(fileURLWithPath: "/bin/cp"),
        arguments: ["-f", source.path, copy.path], inputFiles: [source], outputFiles: [copy])
    ]
  }
}
