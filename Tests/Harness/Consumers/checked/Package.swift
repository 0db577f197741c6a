// swift-tools-version: 6.3
import PackageDescription

let shared: [Target.Dependency] = [.product(name: "Lifecycle", package: "swift-section-registry")]

let package = Package(
  name: "Checked",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "App", targets: ["App"]),
    .library(name: "Extra", type: .dynamic, targets: ["Extra"]),
    .library(name: "ExtraArchive", type: .static, targets: ["Extra"]),
    .library(name: "ExtraSource", targets: ["Extra"]),
  ],
  dependencies: [
    .package(url: "https://github.com/swift-section-registry/swift-section-registry", branch: "main")
  ],
  targets: [.executableTarget(name: "App", dependencies: shared), .target(name: "Extra", dependencies: shared)]
)
