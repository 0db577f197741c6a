// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Snacks",
  platforms: [.macOS(.v13)],
  products: [.library(name: "Snacks", targets: ["Snacks"])],
  dependencies: [
    .package(url: "https://github.com/swift-section-registry/swift-section-registry", branch: "main"),
    .package(path: "../CinemaAPI"),
  ],
  targets: [
    .target(
      name: "Snacks",
      dependencies: [
        .product(name: "CinemaAPI", package: "CinemaAPI"),
        .product(name: "RegistryDynamic", package: "swift-section-registry"),
      ])
  ]
)
