public import Registry

/// A transient service that a record exports.
public protocol Parcel {
  // The requirements make the protocols differ; see `OtherAdder`.
  var isHeavy: Bool { get }
  var isFragile: Bool { get }
  func weight(_ value: Int) -> Int
}

/// A transient service that is registered at run time.
public protocol Letter {
  var isHeavy: Bool { get }
  var isFragile: Bool { get }
  var isUrgent: Bool { get }
  func weight(_ value: Int) -> Int
}

@ExportService((any Parcel).self)
public final class SmallParcel: Parcel, Letter {
  public static let weight = 3
  private let weight = SmallParcel.weight
  public var isHeavy: Bool { weight > 100 }
  public var isFragile: Bool { weight < 0 }
  public var isUrgent: Bool { weight == 0 }

  public init() {}

  public func weight(_ value: Int) -> Int { value &+ weight }
}
