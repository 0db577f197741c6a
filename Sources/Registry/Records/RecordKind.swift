internal import RegistryC

/// What a record is about: a code of four characters.
public struct RecordKind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// `modu`: a module.
  public static let module = RecordKind(rawValue: REGISTRY_KIND_MODULE)
  /// `serv`: the implementation of a service.
  public static let service = RecordKind(rawValue: REGISTRY_KIND_SERVICE)
  /// `evnt`: a handler of an event that belongs to no module.
  public static let handler = RecordKind(rawValue: REGISTRY_KIND_HANDLER)
  /// `rout`: what opens a route.
  public static let route = RecordKind(rawValue: REGISTRY_KIND_ROUTE)
  /// `actn`: an action, which is performed by its name.
  public static let action = RecordKind(rawValue: REGISTRY_KIND_ACTION)
  /// `libr`: a copy of this library is in the image. Not among an image's records; see ``Diagnostic/Code/twoCopies``.
  package static let library = RecordKind(rawValue: REGISTRY_KIND_LIBRARY)

  /// The four characters, or the number where they are not printable.
  public var description: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
    guard bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      return "0x" + String(rawValue, radix: 16)
    }
    return String(decoding: bytes, as: Unicode.ASCII.self)
  }
}
