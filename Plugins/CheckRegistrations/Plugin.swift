import PackagePlugin

@main struct CheckRegistrations: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {}
}
