/// The limit on nested events, and on answers that wait for each other, which ends infinite
/// recursion.
enum EventDepth {
  static let limit = 100

  static var problem: String {
    "more than \(limit) events deep, so that event is not delivered; check whether a handler triggers the event that"
      + " calls it"
  }
}
