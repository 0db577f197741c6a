import Foundation
import PackagePlugin

// This code is shared by two command plugins. A plugin can't depend on a library, so the other
// plugin's folder has a symbolic link to this file.

extension CommandPlugin {
  /// Builds the products of a package, and the dynamic libraries of other packages that they link
  /// to, and returns the paths of their files.
  func files(of package: Package, _ arguments: Arguments) throws -> [String] {
    var files: [String] = []
    let products = try products(of: package, named: arguments.products)
    for product in products {
      files += try artifacts(of: product, arguments.configuration)
    }
    guard !files.isEmpty else {
      throw Failure(
        "nothing-to-check",
        "no executable, static library, or dynamic library was built, and an automatic library has no file of its own; check"
          + " the package of an app that uses it, or declare the product with 'type: .dynamic' or 'type: .static'")
    }
    let linked = linkedTargets(of: products).flatMap(\.dependencies).compactMap {
      if case .product(let library as LibraryProduct) = $0, library.kind == .dynamic { library.name } else { nil }
    }
    for name in Set(linked).sorted() { files += try build(name, arguments.configuration).map(\.path) }
    return files
  }

  /// Returns the targets that executables and dynamic libraries link to.
  func linkedTargets(of products: [any Product]) -> [any Target] {
    products.filter { $0 is ExecutableProduct || ($0 as? LibraryProduct)?.kind == .dynamic }.flatMap(\.targets)
      .flatMap { [$0] + $0.recursiveTargetDependencies }
  }

  /// Returns the paths, relative to the package if they're in it, so that reports omit its folder.
  func relative(_ files: [String], to package: Package) -> [String] {
    let folder = package.directoryURL.path + "/"
    return files.map { $0.hasPrefix(folder) ? String($0.dropFirst(folder.count)) : $0 }
  }

  /// Runs registry-tool in the package's folder.
  ///
  /// The plugin builds the tool on demand. As a dependency, the tool would make every build of this
  /// package compile the libraries a second time, for the build machine.
  ///
  /// - Returns: The exit status; -1 if a signal ended the tool.
  func runTool(_ words: [String], in package: Package, _ arguments: Arguments) throws -> Int32 {
    let tool = Process()
    tool.executableURL = try build("registry-tool", arguments.configuration).first {
      $0.lastPathComponent.hasPrefix("registry-tool")
    }
    tool.currentDirectoryURL = package.directoryURL
    tool.arguments = words
    try tool.run()
    tool.waitUntilExit()
    return tool.terminationReason == .exit ? tool.terminationStatus : -1
  }

  /// Returns the named products, or all executables and libraries if `names` is empty.
  func products(of package: Package, named names: [String]) throws -> [any Product] {
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
        "Not reading \(product.name): an automatic library has no file of its own and is part of the products that use it"
      )
      return []
    }
    print("Building \(product.name)")
    return try build(product.name, configuration).map(\.path)
  }

  /// Builds a product of the package or of one of its dependencies.
  ///
  /// - Returns: The product's files, which can include libraries that an executable links to.
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
  private(set) var products: [String] = []
  /// The build configuration; by default, the package command's.
  private(set) var configuration = PackageManager.BuildConfiguration.inherit
  private(set) var wantsHelp = false
  /// The arguments for registry-tool, which validates them.
  private(set) var others: [String] = []
  /// The absolute paths from the options that the plugin handles, by option.
  private(set) var paths: [String: String] = [:]

  /// - Parameters:
  ///   - paths: The options that take a path and that the plugin handles.
  ///   - pathsOfTool: The options that take a path and that the tool handles.
  ///   - others: The other options for the tool.
  init(_ words: [String], paths: [String], pathsOfTool: [String], others: [String]) throws {
    var words = words[...]
    while let word = words.popFirst() {
      let end = word.firstIndex(of: "=")
      let name = String(word[..<(end ?? word.endIndex)])
      if ["--help", "-h"].contains(name) {
        wantsHelp = true
        continue
      }
      guard (["--product", "--configuration", "-c"] + paths + pathsOfTool + others).contains(name) else {
        let all = ["--product", "--configuration"] + paths + pathsOfTool + others
        throw Failure(
          "usage",
          "unknown argument '\(word)'; the options are \(all.map { "'\($0)'" }.joined(separator: ", ")), and '--help', and"
            + " the files are those of the products")
      }
      guard let value = end.map({ String(word[word.index(after: $0)...]) }) ?? words.popFirst(), !value.isEmpty else {
        throw Failure("usage", "'\(name)' requires a value")
      }
      // Make the path absolute, because the tool runs in the package's folder.
      let path = URL(fileURLWithPath: value).path
      switch name {
      case "--product": products.append(value)
      case "--configuration", "-c": configuration = try Self.configuration(value)
      case _ where paths.contains(name): self.paths[name] = path
      default: self.others += [name, pathsOfTool.contains(name) ? path : value]
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
