// swift-tools-version: 6.3

import CompilerPluginSupport
import PackageDescription

// The privacy manifest for Xcode. On other systems nothing reads it, so no resource bundle is built there. It
// belongs to the C target that all libraries depend on: in a Swift target, SwiftPM's accessor would import Foundation.
let privacyManifest = "Resources/PrivacyInfo.xcprivacy"
#if canImport(Darwin)
let (privacyResources, excludedManifest): ([Resource], [String]) = ([.copy(privacyManifest)], [])
#else
let (privacyResources, excludedManifest): ([Resource], [String]) = ([], [privacyManifest])
#endif

// The libraries that apps carry, each with one target.
let libraries = [
  "Registry", "Lifecycle", "RegistryReports", "LifecycleTracing", "ProcessHost", "Manifests", "AppHost", "Routing",
]

let package = Package(
  name: "swift-section-registry",
  platforms: [
    .macOS(.v13), .iOS(.v15), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1), .macCatalyst(.v15),
  ],
  products: libraries.map { .library(name: $0, targets: [$0]) } + [
    // All as one shared library, for apps that open plug-ins: there must be one copy in a process. Then every package
    // of the graph depends on this product and none on those above. The modules to import are the same.
    .library(name: "RegistryDynamic", type: .dynamic, targets: libraries + ["RegistryDynamicAnalysis"]),
    // Pages, comparisons, budgets, and rules, which apps link only if they ask for them.
    .library(name: "RegistryAnalysis", targets: ["RegistryAnalysis"]),
    .library(name: "RegistryTesting", targets: ["RegistryTesting"]),
    .plugin(name: "RegistryDynamicTesting", targets: ["RegistryDynamicTesting"]),
    .executable(name: "registry-tool", targets: ["registry-tool"]),
    .plugin(name: "CheckRegistrations", targets: ["CheckRegistrations"]),
    .plugin(name: "RegistryReport", targets: ["RegistryReport"]),
  ],
  traits: [
    .trait(name: "Analysis", description: "Adds the module RegistryAnalysis to the product RegistryDynamic.")
  ],
  targets: [
    // The only code that knows object file formats at run time; atomics and locks. Every library depends on this target
    // in C, and only for targets in Swift or Objective-C does SwiftPM generate an accessor of resources, which imports
    // Foundation.
    .target(name: "RegistryC", exclude: excludedManifest, resources: privacyResources),
    // The syntax of URL patterns, splitting of URLs, matching: the standard library alone.
    .target(name: "RoutePatterns"),
    // The expansions of the macros.
    .target(name: "MacroExpansion"),
    // The compiler plugins behind the macros. No test depends on them: SwiftPM would build every library twice.
    .macro(name: "RegistryMacros", dependencies: ["MacroExpansion"]),
    // The macro that checks patterns, which only clients of Routing build.
    .macro(name: "RoutingMacros", dependencies: ["MacroExpansion", "RoutePatterns"]),
    // Records, diagnostics, services.
    .target(name: "Registry", dependencies: ["RegistryC", "RegistryMacros"]),
    // Modules, events, context.
    .target(name: "Lifecycle", dependencies: ["Registry", "RegistryC", "RegistryMacros"]),
    // The reports of managers, which few release builds of apps print.
    .target(name: "RegistryReports", dependencies: ["Lifecycle", "Registry"]),
    // The targets above this line do not import Foundation; those below do.
    // Timelines and traces of modules, and a watchdog for the main actor.
    .target(name: "LifecycleTracing", dependencies: ["Lifecycle", "Registry"]),
    // A process and its signals, for servers and tools.
    .target(name: "ProcessHost", dependencies: ["Lifecycle", "Registry", "RegistryC"]),
    // Modules, services, and settings that files list.
    .target(name: "Manifests", dependencies: ["Lifecycle", "Registry"]),
    // The events of an app's operating system.
    .target(name: "AppHost", dependencies: ["Lifecycle", "Registry", "RegistryC"]),
    // Routes, and actions by name. Imports Foundation, for URLs.
    .target(
      name: "Routing", dependencies: ["Registry", "RegistryC", "RegistryMacros", "RoutePatterns", "RoutingMacros"]),
    // The HTML, CSS, and JavaScript of the page that RegistryAnalysis fills with data.
    .target(name: "AnalysisPage", exclude: ["page.css", "page.html", "page.js"]),
    // What a process or its files register, as JSON and as a page; comparisons, budgets, and rules.
    .target(
      name: "RegistryAnalysis", dependencies: ["AnalysisPage", "Lifecycle", "Registry", "RegistryReports", "Routing"]),
    // Adds the target above to RegistryDynamic, whose machine code it makes a third larger, only for apps that ask for it.
    .target(
      name: "RegistryDynamicAnalysis",
      dependencies: [.target(name: "RegistryAnalysis", condition: .when(traits: ["Analysis"]))]),
    // Reads binaries as files, for registry-tool. Uses the readers of records in the targets below, so that the tool
    // and an app accept the same records. Imports Foundation.
    .target(
      name: "BinaryInspection", dependencies: ["Lifecycle", "Registry", "RegistryAnalysis", "RegistryC", "Routing"]),
    // The page that `registry-tool explain` prints parts of.
    .target(name: "DiagnosticsPage"),
    .executableTarget(
      name: "registry-tool",
      dependencies: ["BinaryInspection", "DiagnosticsPage", "Lifecycle", "Registry", "RegistryAnalysis"]),
    .plugin(
      name: "CheckRegistrations",
      capability: .command(
        intent: .custom(verb: "check-registrations", description: "Check what the products of a package register."))),
    .plugin(
      name: "RegistryReport",
      capability: .command(
        intent: .custom(
          verb: "registry-report", description: "Write a page about what the products of a package register."))),
    // The trait for Swift Testing, which it imports. For the test targets of users only.
    .target(name: "RegistryTesting", dependencies: ["Registry"]),
    // Compiles the trait as a part of test targets that link RegistryDynamic, so that there is one copy of the library.
    .plugin(name: "RegistryDynamicTesting", capability: .buildTool()),

    // The code that tests share, and the records that C, C++, and Objective-C files export for them.
    .target(name: "TestSupport", dependencies: ["Lifecycle", "Registry"], path: "Tests/TestSupport"),
    // The functions with which tests wait. It imports Testing, so the programs that tests run do not depend on it.
    .target(name: "TestWaits", dependencies: ["TestSupport"], path: "Tests/TestWaits"),
    .target(name: "TestRecords", dependencies: ["RegistryC"], path: "Tests/TestRecords"),
    .target(name: "RegistryCTestSupport", dependencies: ["RegistryC"], path: "Tests/RegistryCTestSupport"),
    .target(name: "HeapInUse", path: "Tests/HeapInUse"),
    // A program that tests run in a separate process, to check that repeated work leaves memory constant.
    .executableTarget(
      name: "MemoryProbe",
      dependencies: ["Registry", "Lifecycle", "LifecycleTracing", "RegistryReports", "HeapInUse", "TestSupport"],
      path: "Tests/MemoryProbe"),
    // A program that tests run in a separate process, because signals concern a whole process.
    .executableTarget(
      name: "HostProbe", dependencies: ["Lifecycle", "LifecycleTracing", "ProcessHost", "Registry", "RegistryC"],
      path: "Tests/HostProbe"),
    // A program that tests run on emulated loaders, in a separate process.
    .executableTarget(
      name: "LoaderProbe",
      dependencies: ["Lifecycle", "Registry", "RegistryC", "RegistryReports", "Routing", "TestSupport"],
      path: "Tests/LoaderProbe",
      exclude: ["loader.c", "plugin.c"]),
    .testTarget(name: "RegistryCTests", dependencies: ["RegistryC", "RegistryCTestSupport", "TestSupport"]),
    .testTarget(name: "RoutePatternsTests", dependencies: ["RoutePatterns", "TestSupport"]),
    .testTarget(
      name: "RegistryTests",
      dependencies: [
        "Registry", "RegistryC", "RegistryCTestSupport", "RegistryReports", "TestSupport", "TestRecords", "TestWaits",
      ]),
    .testTarget(name: "RegistryTestingTests", dependencies: ["RegistryTesting", "Registry", "TestSupport"]),
    .testTarget(
      name: "LifecycleTracingTests",
      dependencies: ["LifecycleTracing", "Lifecycle", "Registry", "TestSupport", "TestWaits"]),
    .testTarget(
      name: "ProcessHostTests",
      dependencies: [
        "ProcessHost", "Lifecycle", "Registry", "RegistryC", "RegistryCTestSupport", "TestSupport", "TestWaits",
      ]),
    .testTarget(
      name: "ManifestsTests", dependencies: ["Manifests", "Lifecycle", "Registry", "RegistryReports", "TestSupport"]),
    .testTarget(
      name: "AppHostTests",
      dependencies: [
        "AppHost", "Manifests", "Lifecycle", "Registry", "RegistryC", "Routing", "TestSupport", "TestWaits",
      ]),
    .testTarget(
      name: "RegistryAnalysisTests",
      dependencies: ["RegistryAnalysis", "Lifecycle", "LifecycleTracing", "Registry", "Routing", "TestSupport"]),
    .testTarget(name: "RoutingTests", dependencies: ["Routing", "Registry", "TestSupport", "TestWaits"]),
    .testTarget(
      name: "LifecycleTests",
      dependencies: [
        "Lifecycle", "Registry", "RegistryC", "RegistryReports", "TestSupport", "TestRecords", "TestWaits",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)

// The tests of the compiler plugin, of the compiler's messages, and of the reader of binaries, and the programs that
// only CI runs. They take as long as all other tests together, so `swift test` builds them only if the variable is set.
if Context.environment["REGISTRY_ALL_TESTS"] != nil {
  package.targets += [
    .testTarget(
      name: "MacroExpansionTests",
      dependencies: ["MacroExpansion", "Lifecycle", "Registry", "RoutePatterns", "Routing", "TestSupport"]),
    // Runs the compiler on code that must compile without a warning, and on code that must not compile.
    .testTarget(
      name: "CompileTests",
      dependencies: [
        "Registry", "Lifecycle", "RegistryReports", "LifecycleTracing", "ProcessHost", "Manifests", "AppHost",
        "Routing", "RegistryAnalysis", "TestSupport",
      ]),
    .testTarget(
      name: "BinaryInspectionTests",
      dependencies: [
        "BinaryInspection", "HeapInUse", "Lifecycle", "LifecycleTracing", "Registry", "RegistryAnalysis", "TestSupport",
      ]),
    // A program that measures large numbers of records and images. See Tests/Harness/Load/run.
    .executableTarget(
      name: "LoadProbe", dependencies: ["Lifecycle", "Registry", "RegistryReports", "HeapInUse", "TestSupport"],
      path: "Tests/Harness/Load/Probe"),
    // Writes the page of a snapshot. Tests/Harness/Page/run opens it in a browser.
    .executableTarget(
      name: "PageProbe", dependencies: ["RegistryAnalysis"], path: "Tests/Harness/Page/Probe"),
    // Prints what the reader of binaries finds in them. Tests/Harness/Inspection/truth compares
    // that with the output of other programs.
    .executableTarget(
      name: "InspectionProbe", dependencies: ["BinaryInspection"], path: "Tests/Harness/Inspection/Probe"),
  ]
}

// A check that needs only some suites names them, separated by commas, and builds no others.
if let suites = Context.environment["REGISTRY_SUITES"]?.split(separator: ",") {
  for suite in suites where !package.targets.contains(where: { $0.type == .test && $0.name == suite }) {
    fatalError("REGISTRY_SUITES names the unknown suite '\(suite)'; suites of tools also need REGISTRY_ALL_TESTS=1")
  }
  package.targets.removeAll { $0.type == .test && !suites.contains(Substring($0.name)) }
}

// Upcoming language features, each with its proposal, because users can enable them too. Tests write `P.self`, as most
// users do.
for target in package.targets where target.type != .plugin {
  var settings = target.swiftSettings ?? []
  settings += [
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
  ]
  if target.type != .test { settings.append(.enableUpcomingFeature("ExistentialAny")) }  // SE-0335
  // Apps carry the code of these targets, and every clean build of an app waits for the compiler plugin. Functions that
  // must be fast have the attribute @_optimize(speed). Benchmarks/README.md has the figures under "Size".
  let isSmall = libraries.contains(target.name)
  let isPlugin = ["MacroExpansion", "RegistryMacros", "RoutingMacros"].contains(target.name)
  if isSmall || isPlugin {
    // As one LLVM module, because the compiler merges equal functions only within a module.
    let small = ["-Osize", "-Xfrontend", "-enable-single-module-llvm-emission"]
    settings.append(.unsafeFlags(isSmall ? small : ["-Onone"], .when(configuration: .release)))
    // Debug builds index what they compile and the modules that it imports. All targets wait for the plugin, so its share
    // of the C library's index would add a second or more to a clean build of an app.
    if isPlugin { settings.append(.unsafeFlags(["-index-ignore-system-modules"], .when(configuration: .debug))) }
  }
  // Optimizing tests takes most of their release build, and matters only if a library's code is inlined into them.
  if target.type == .test, !["RegistryTests", "LifecycleTests", "RoutingTests"].contains(target.name) {
    settings.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
  target.swiftSettings = settings
}
