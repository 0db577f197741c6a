// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "CinemaAPI",
  platforms: [.macOS(.v13)],
  products: [.library(name: "CinemaAPI", type: .dynamic, targets: ["CinemaAPI"])],
  dependencies: [
    .package(url: "https://github.com/swift-section-registry/swift-section-registry", branch: "main")
  ],
  targets: [
    .target(
      name: "CinemaAPI", dependencies: [.product(name: "RegistryDynamic", package: "swift-section-registry")])
  ]
)
