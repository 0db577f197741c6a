// swift-tools-version: 6.3
import PackageDescription

// `run` copies this manifest to the packages Seats and Snacks. Each package has other settings.
let settings: [String: [SwiftSetting]] = [
  "Films": [.enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility")],
  "Seats": [.defaultIsolation(MainActor.self)],
  "Snacks": [.swiftLanguageMode(.v5)],
]
let name = Context.packageDirectory.split(separator: "/").last.map(String.init) ?? ""

let package = Package(
  name: name,
  platforms: [.macOS(.v13)],
  products: [.library(name: name, targets: [name])],
  dependencies: [
    .package(url: "https://github.com/swift-section-registry/swift-section-registry", branch: "main"),
    .package(path: "../CinemaAPI"),
  ],
  targets: [
    .target(
      name: name,
      dependencies: [
        .product(name: "CinemaAPI", package: "CinemaAPI"),
        .product(name: "RegistryDynamic", package: "swift-section-registry"),
      ],
      swiftSettings: settings[name])
  ]
)
