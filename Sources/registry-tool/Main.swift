import BinaryInspection

@main struct RegistryTool {
  static func main() {}
}
