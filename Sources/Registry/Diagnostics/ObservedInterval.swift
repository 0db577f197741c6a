/// The beginning or the end of an interval of work, such as the creation of a service.
public struct ObservedInterval: Sendable {
  /// A side of an interval.
  public enum Phase: Sendable {
    case began
    case ended
  }

  /// A number that the beginning and the end share, and that no other interval of the source has.
  public let number: Int
  /// The kind of work, such as `service` or `route`.
  public let kind: String
  /// The name of the work's subject, such as an implementation or the identifier of a route.
  ///
  /// The name at the end counts, because the subject may be unknown at the beginning.
  public let name: String
  /// The image that contains the subject, or nil.
  public let image: LoadedImage?
  /// A Boolean value that indicates whether the work is asynchronous.
  ///
  /// Synchronous work begins and ends on one thread, and is nested there.
  public let isAsync: Bool
  /// The side of the interval.
  public let phase: Phase

  /// Creates a side of an interval.
  public init(number: Int, kind: String, name: String, image: LoadedImage? = nil, isAsync: Bool, phase: Phase) {
    self.number = number
    self.kind = kind
    self.name = name
    self.image = image
    self.isAsync = isAsync
    self.phase = phase
  }
}
