public import Registry

/// A service that is made anew for every look-up, found by its record.
public protocol Parcel {
  func weight(_ value: Int) -> Int
}

/// The same, registered at run time.
public protocol Letter {
  func weight(_ value: Int) -> Int
}

@ExportService((any Parcel).self)
public final class SmallParcel: Parcel, Letter {
  public static let weight = 3
  private let weight = SmallParcel.weight

  public init() {}

  public func weight(_ value: Int) -> Int { value &+ weight }
}
