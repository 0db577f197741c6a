import Foundation
import PackagePlugin

/// The plugin that builds the products of a package and checks their registrations.
@main struct CheckRegistrations: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let command = try Arguments(arguments)
    if command.wantsHelp { return print(Arguments.help) }
    var files: [String] = []
    for product in try products(of: context.package, named: command.products) {
      files += try artifacts(of: product, command.configuration)
    }
    guard !files.isEmpty else {
      throw Failure(
        "nothing-to-check",
        "no executable, static library, or dynamic library was built, and an automatic library has no file of its own; check"
          + " the package of an app that uses it, or declare the product with 'type: .dynamic' or 'type: .static'")
    }
    for file in files { print("Checking \(file)") }

    // If the plugin depended on the tool, every build of this package would compile the libraries a
    // second time, for the build machine.
    let tool = Process()
    tool.executableURL = try build("registry-tool", command.configuration).first {
      $0.lastPathComponent.hasPrefix("registry-tool")
    }
    // The products of a package can be in different processes.
    tool.arguments = ["check", "--separate"] + command.others + ["--"] + files
    try tool.run()
    tool.waitUntilExit()
    guard tool.terminationReason == .exit, tool.terminationStatus == 0 else {
      throw tool.terminationReason == .exit && tool.terminationStatus == 1
        ? Failure("problems-found", "registrations of the products would fail at run time; see the problems above")
        : Failure("check-failed", "the products cannot be checked; see the errors above")
    }
  }

  /// Returns the named products, or all executables and libraries if there are no names.
  private func products(of package: Package, named names: [String]) throws -> [any Product] {
    guard !names.isEmpty else { return package.products.filter { $0 is ExecutableProduct || $0 is LibraryProduct } }
    return try names.map { name in
      guard let product = package.products.first(where: { $0.name == name }) else {
        throw Failure(
          "usage",
          "the package has no product '\(name)'; it has"
            + " \(package.products.map { "'\($0.name)'" }.joined(separator: ", "))")
      }
      guard product is ExecutableProduct || product is LibraryProduct else {
        throw Failure(
          "usage", "the product '\(name)' is neither an executable nor a library, so it registers nothing")
      }
      return product
    }
  }

  private func artifacts(
    of product: any Product, _ configuration: PackageManager.BuildConfiguration
  ) throws -> [String] {
    if let library = product as? LibraryProduct, library.kind == .automatic {
      print(
        "Not checking \(product.name): an automatic library has no file of its own and is checked in the products that use it"
      )
      return []
    }
    print("Building \(product.name)")
    return try build(product.name, configuration).map(\.path)
  }

  /// Builds a product of the package or of a package that it uses.
  ///
  /// - Returns: Its files, which can include libraries that an executable links to.
  private func build(_ product: String, _ configuration: PackageManager.BuildConfiguration) throws -> [URL] {
    let result = try packageManager.build(
      .product(product), parameters: .init(configuration: configuration, logging: .concise))
    guard result.succeeded else {
      throw Failure("build-failed", "the product '\(product)' cannot be built", log: result.logText)
    }
    let files = result.builtArtifacts.map(\.url)
    guard !files.isEmpty else {
      throw Failure("build-failed", "the product '\(product)' was built, but SwiftPM reports no file for it")
    }
    return files
  }
}

struct Arguments {
  static let help = """
    usage: swift package check-registrations [--product NAME]… [--configuration debug|release] [--expect LIST]
           [--registered NAME]… [--arch ARCH]

    Builds the executables, static libraries, and dynamic libraries of the package, and finds registrations that would
    fail at run time; see 'registry-tool check --help'.

      --product NAME           check only this product; you can repeat the option
      --configuration CONFIG   debug (the default) or release
      --expect LIST            the records that must be present: the output of registry-tool list --format json
      --registered NAME        the service, route, or module is registered in code; you can repeat the option
      --arch ARCH              read only this slice of universal files
    """

  private(set) var products: [String] = []
  /// The build configuration, which is inherited from the package command by default.
  private(set) var configuration = PackageManager.BuildConfiguration.inherit
  private(set) var wantsHelp = false
  /// The arguments for registry-tool, which validates them.
  private(set) var others: [String] = []

  init(_ words: [String]) throws {
    var words = words[...]
    while let word = words.popFirst() {
      let end = word.firstIndex(of: "=")
      let name = String(word[..<(end ?? word.endIndex)])
      switch name {
      case "--help", "-h": wantsHelp = true
      case "--product", "--configuration", "-c":
        guard let value = end.map({ String(word[word.index(after: $0)...]) }) ?? words.popFirst(), !value.isEmpty else {
          throw Failure("usage", "'\(name)' requires a value")
        }
        if name == "--product" { products.append(value) } else { configuration = try Self.configuration(value) }
      case "--expect", "--registered", "--arch":
        others.append(word)
        if end == nil, let value = words.popFirst() { others.append(value) }
      default:
        throw Failure(
          "usage",
          "unknown argument '\(word)'; the options are '--product', '--configuration', '--expect', '--registered', '--arch',"
            + " and '--help', and the files are those of the products")
      }
    }
  }

  private static func configuration(_ text: String) throws -> PackageManager.BuildConfiguration {
    switch text {
    case "debug": return .debug
    case "release": return .release
    default:
      throw Failure("usage", "unknown configuration '\(text)'; the configurations are 'debug' and 'release'")
    }
  }
}

/// An error that ends the command, with a code that `Documentation/Diagnostics.md` explains.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ code: String, _ message: String, log: String = "") {
    description = "\(message) [\(code)]" + (log.isEmpty ? "" : ":\n\(log)")
  }
}
