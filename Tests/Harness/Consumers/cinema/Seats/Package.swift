// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Seats",
  platforms: [.macOS(.v13)],
  products: [.library(name: "Seats", targets: ["Seats"])],
  dependencies: [
    .package(url: "https://github.com/swift-section-registry/swift-section-registry", branch: "main"),
    .package(path: "../CinemaAPI"),
  ],
  targets: [
    .target(
      name: "Seats",
      dependencies: [
        .product(name: "CinemaAPI", package: "CinemaAPI"),
        .product(name: "RegistryDynamic", package: "swift-section-registry"),
      ])
  ]
)
