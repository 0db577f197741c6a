public import Foundation
import Registry

/// The registrations of processes, read from their files or from a running process.
///
/// `registry-tool report --format json` writes a snapshot of files, and ``Lifecycle/ModuleManager``
/// creates one of the current process. Pages, comparisons, and rules use snapshots.
public struct RegistrySnapshot: Sendable, Hashable, Codable {
  /// The version of the JSON. It increases when a reader of the previous version would misread the
  /// JSON, but not for new members.
  package static let formatVersion = 1

  package enum Origin: String, Sendable, Codable {
    /// Files, which don't show what code registers.
    case files
    case process
  }

  package var version = Self.formatVersion
  package var origin: Origin
  /// In files, each executable forms a process with the libraries that it can load. Without an
  /// executable, all images form one. Architectures, platforms, and groups have separate processes.
  package var processes: [Process]
  package var problems: [Problem] = []

  package init(origin: Origin, processes: [Process], problems: [Problem] = []) {
    (self.origin, self.processes, self.problems) = (origin, processes, problems)
  }

  /// The images and registrations of one process.
  package struct Process: Sendable, Hashable, Codable {
    /// The name of the executable, such as `Shop`, or of the first image if there is no executable.
    package var name: String
    package var architecture: String?
    /// The group of the records in files, if they have one; nil for a running process.
    package var group: String?
    package var images: [Image] = []
    /// The modules in setup order, and then the modules in or after a cycle.
    package var modules: [Module] = []
    /// The implementations, handlers, and contributions, by kind, key, and service name, and then
    /// in order of preference or in calling order.
    package var entries: [Entry] = []
    package var needs: [Need] = []

    package init(name: String) { self.name = name }
  }

  package struct Image: Sendable, Hashable, Codable {
    /// The name, unique in the process except for archive members with equal names. Modules,
    /// entries, and needs refer to images by this name.
    package var name: String
    package var path: String
    package var records: Int

    package init(name: String, path: String, records: Int) {
      (self.name, self.path, self.records) = (name, path, records)
    }
  }

  package struct Module: Sendable, Hashable, Codable {
    package var name: String
    /// The Swift module in the name, such as `Cart` for `Cart.CartModule`. If there is none, the
    /// file name of the image or, in a running process, the name itself.
    package var feature: String
    /// The image; nil for a module that code registered.
    package var image: String?
    /// The position in the setup order, starting at 1; nil in or after a cycle.
    package var position: Int?
    package var level: String
    package var priority: Int
    /// The names of the modules that must be set up before this module, including unknown names.
    package var after: [String] = []
    /// The names of the modules that precede this module only because of `afterNeeds`.
    package var afterNeeds: [String] = []
    package var activation: String
    /// The state in a running process; nil for files.
    package var state: String?
    package var location: String?

    package init(name: String, feature: String, level: String, priority: Int, activation: String) {
      (self.name, self.feature, self.level) = (name, feature, level)
      (self.priority, self.activation) = (priority, activation)
    }
  }

  package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case service, event, route, action, point
    /// Only needs have this kind.
    case module
  }

  /// A service's implementation, a contribution, or a handler of an event, a route, or an action.
  package struct Entry: Sendable, Hashable, Codable {
    package var kind: Kind
    /// The protocol, event, route, action, or point, such as `ShopAPI.CartService`.
    package var key: String
    /// The name of a service, or the key of a contribution.
    package var name: String?
    /// The type, or the source location of code, such as `Cart/Handlers.swift:12:1`.
    package var provider: String
    /// The Swift module of the provider, or a substitute as in `Module.feature`.
    package var feature: String
    /// The image; nil for an entry that code registered.
    package var image: String?
    package var priority: Int
    /// The position among the entries with the same `target`, starting at 1.
    package var rank: Int
    /// False for an entry that isn't in use, such as an implementation that lookups don't find.
    package var isSelected = true
    package var scope: String?
    /// For an event, route, action, or point, the types of its values, if known.
    package var type: String?
    /// The implementation that this entry replaces.
    package var replaces: String?
    package var condition: String?
    /// The access and the URL patterns of a route or an action, if known.
    package var access: Access?
    package var location: String?

    package init(kind: Kind, key: String, provider: String, feature: String, priority: Int, rank: Int) {
      (self.kind, self.key, self.provider) = (kind, key, provider)
      (self.feature, self.priority, self.rank) = (feature, priority, rank)
    }

    /// The target that the entry provides. Only services are identified by name; a contribution's
    /// name is its key in the point.
    package var target: Target { Target(kind: kind, key: key, name: kind == .service ? name : nil) }
  }

  /// A service, event, route, action, point, or module. Entries with the same target are ranked
  /// together, and needs name targets.
  package struct Target: Hashable, Comparable {
    let kind: Kind
    let key: String
    var name: String?

    var subject: String { key + (name.map { " named \"\($0)\"" } ?? "") }

    package static func < (a: Self, b: Self) -> Bool {
      func order(_ target: Self) -> (Int, String, String) {
        (Kind.allCases.firstIndex(of: target.kind)!, target.key, target.name ?? "")
      }
      return order(a) < order(b)
    }
  }

  package struct Access: Sendable, Hashable, Codable {
    /// The widest origin of requests: `local` or `remote`.
    package var origin: String
    package var patterns: [String]

    package init(origin: String, patterns: [String]) { (self.origin, self.patterns) = (origin, patterns) }
  }

  /// A service, module, route, or point that code declares a need for.
  package struct Need: Sendable, Hashable, Codable {
    package var kind: Kind
    package var key: String
    package var name: String?
    package var isOptional: Bool
    /// The type that states the need, the need's source location, or the name of the image.
    package var dependent: String
    /// The Swift module that states the need, or a substitute as in `Module.feature`.
    package var feature: String
    package var image: String?
    package var location: String?
    /// The Swift modules that satisfy the need; empty if no Swift module does.
    package var providers: [String] = []

    var target: Target { Target(kind: kind, key: key, name: name) }

    package init(kind: Kind, key: String, isOptional: Bool, dependent: String, feature: String) {
      (self.kind, self.key, self.isOptional) = (kind, key, isOptional)
      (self.dependent, self.feature) = (dependent, feature)
    }
  }

  package struct Problem: Sendable, Hashable, Codable {
    /// `error`, `warning`, or `note`.
    package var severity: String
    package var code: String
    package var subject: String?
    /// The image or the file.
    package var image: String?
    package var location: String?
    package var message: String

    package init(
      severity: String, code: String, subject: String? = nil, image: String? = nil, location: String? = nil,
      message: String
    ) {
      (self.severity, self.code, self.message) = (severity, code, message)
      (self.subject, self.image, self.location) = (subject, image, location)
    }
  }
}

extension RegistrySnapshot {
  /// Returns the snapshot as JSON, which `check`, `diff`, and `report` of `registry-tool` accept.
  ///
  /// - Throws: The error that `JSONEncoder` throws.
  public func json() throws -> Data {
    try indentedJSON()
  }

  /// Reads a snapshot from JSON.
  ///
  /// - Throws: An error that describes the first problem.
  public init(json: Data) throws {
    struct Header: Decodable { let version: Int }
    do {
      let version = try JSONDecoder().decode(Header.self, from: json).version
      guard version == Self.formatVersion else {
        throw SnapshotError(
          "it has version \(version), and this version of the library reads \(Self.formatVersion); "
            + (version > Self.formatVersion ? "use a newer version" : "write it again"))
      }
      self = try JSONDecoder().decode(Self.self, from: json)
      try validate()
    } catch let error as DecodingError {
      throw SnapshotError(error)
    }
  }
}

extension RegistrySnapshot {
  /// Throws an error for values that no writer produces and that would make a reader trap.
  private func validate() throws {
    for (index, problem) in problems.enumerated() where !Diagnostic.Code.isCode(problem.code) {
      throw SnapshotError("problems[\(index)].code: \(problem.code.quotedForDisplay()) is not a code")
    }
    for (index, process) in processes.enumerated() {
      for (image, records) in process.images.map(\.records).enumerated() where !(0...1_000_000_000).contains(records) {
        throw SnapshotError("processes[\(index)].images[\(image)].records: \(records) is no number of records")
      }
    }
  }
}

/// A problem with a snapshot's JSON.
private struct SnapshotError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  init(_ error: DecodingError) {
    let (context, missing): (DecodingError.Context, String?) =
      switch error {
      case .keyNotFound(let key, let context): (context, key.stringValue)
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): (context, nil)
      @unknown default: (.init(codingPath: [], debugDescription: "\(error)"), nil)
      }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined().dropFirst()
    // The decoder's own descriptions of damaged JSON end with a period.
    let reason = context.debugDescription
    let problem = missing.map { "missing member '\($0)'" } ?? (reason.hasSuffix(".") ? "\(reason.dropLast())" : reason)
    description =
      "\(path.isEmpty ? "" : "\(path): ")\(problem.prefix(300)); write it again with 'registry-tool report --format json'"
      + " or 'json()'"
  }
}

extension Encodable {
  /// Returns indented JSON with sorted members, so that two files can be compared line by line.
  package func indentedJSON() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
