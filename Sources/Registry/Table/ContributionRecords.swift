package final class UnreadContribution: @unchecked Sendable {
  // Unchecked: C code guarantees that its constant addresses can be used on any thread.

  package let record: ExportedRecord
  package let attributes: ContributionAttributes
  /// The function in Swift code that names the point; nil for a contribution in C code.
  let provider: __ContributionProvider?
  /// The address that C code contributes.
  package let address: UnsafeRawPointer?
  let order: Int

  init?(_ record: ExportedRecord, _ attributes: ContributionAttributes, order: Int) {
    guard let accessor = record.accessor else { return nil }
    let isC = attributes.cType != nil
    provider = isC ? nil : provided(by: accessor)
    address = isC ? answer(of: accessor) : nil
    if provider == nil, address == nil { return nil }
    self.record = record
    self.attributes = attributes
    self.order = order
  }

  package func diagnostic(
    _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String
  ) -> Diagnostic {
    Diagnostic(severity: severity, code: code, subject: attributes.location, image: record.image, message: message)
  }
}

/// The contribution records that a manager hasn't added to groups, and the listeners of points.
package struct ContributionRecords {
  /// The records whose JSON hasn't been read yet, each with an order that `readNew` can reassign.
  private var new: [(record: ExportedRecord, order: Int)]
  /// The Swift contributions whose point is unknown, and the C contributions that no point with
  /// their type has taken yet, sorted by `order`.
  package internal(set) var unread: [UnreadContribution]

  var listeners: [ContributionListener]

  init() { (new, unread, listeners) = ([], [], []) }

  mutating func add(_ record: ExportedRecord, order: Int) { new.append((record, order)) }

  mutating func remove(ofImages serials: Set<UInt64>) {
    let isRemoved = { (record: ExportedRecord) in serials.contains(record.image.serial) }
    new.discard { isRemoved($0.record) }
    unread.discard { isRemoved($0.record) }
  }

  /// Removes a record that the caller has read.
  ///
  /// - Returns: `false` if another thread already removed it, or if its image was closed.
  mutating func remove(_ record: UnreadContribution) -> Bool { unread.remove(record) }

  /// Reads the JSON of new records, and returns diagnostics about unusable ones.
  ///
  /// The order of records in an image depends on the linker, so records of images that were loaded
  /// together are sorted by source location.
  mutating func readNew() -> [Diagnostic] {
    if new.isEmpty { return [] }
    var diagnostics: [Diagnostic] = []
    var read: [(batch: Int, place: String, record: ExportedRecord, attributes: ContributionAttributes)] = []
    for (record, _) in new {
      if !record.hasAccessor, let problem = record.kind.problemWithoutAccessor {
        diagnostics.append(.malformed(record, problem))
        continue
      }
      do throws(JSONError) {
        let attributes = try record.withJSON { bytes throws(JSONError) in try ContributionAttributes(bytes) }
        read.append((record.image.batch, attributes.location.naturalOrderKey, record, attributes))
      } catch {
        diagnostics.append(.malformed(record, "\(error)"))
      }
    }
    let sorted = read.ordered { ($0.batch, $0.place) < ($1.batch, $1.place) }
    for ((_, order), item) in zip(new, sorted) {
      guard let contribution = UnreadContribution(item.record, item.attributes, order: order) else {
        diagnostics.append(.refused(item.record, item.attributes.location, "contribution"))
        continue
      }
      unread.append(contribution)
    }
    new = []
    return diagnostics
  }
}

final class ContributionListener: Sendable {
  let key: GroupKey
  let continuation: AsyncStream<Void>.Continuation

  init(key: GroupKey, continuation: AsyncStream<Void>.Continuation) {
    self.key = key
    self.continuation = continuation
  }
}

/// The type that receives the contribution of a record.
///
/// Not API: expansions of `#contribute` use it. The methods lack the macros' `group`.
public final class __Contributions: Sendable {
  /// The contribution that the expansion passes to `add`.
  let added = Locked<(group: GroupKey, key: String?, factory: AnyServiceFactory)?>(nil)

  init() {}

  public func add<Value>(
    _ point: ContributionPoint<[Value]>, priority: Int = 0, when condition: ServiceCondition? = nil,
    make: @escaping @isolated(any) () throws -> Value
  ) { added.withLock { $0 = (point.key, nil, ServiceFactory(make)) } }

  public func add<Value>(
    _ point: ContributionPoint<[String: Value]>, key: String, priority: Int = 0,
    when condition: ServiceCondition? = nil,
    make: @escaping @isolated(any) () throws -> Value
  ) { added.withLock { $0 = (point.key, key, ServiceFactory(make)) } }
}

/// The value that a contribution record's accessor returns. Not API: expansions use it.
///
/// It has one stored function, so its layout is the two words that `RecordFormat.md` specifies. The
/// accessor runs no client code: the expression that names the point may be isolated to an actor,
/// so the function evaluates it.
///
/// Unchecked: expansions pass a static function, which captures nothing. Swift 5 mode doesn't infer
/// that this function is Sendable (SE-0418).
@frozen public struct __ContributionProvider: @unchecked Sendable {
  @usableFromInline let list: @isolated(any) (__Contributions) -> Void
}

/// Implements a contribution record's accessor. Not API: expansions call it.
///
/// - Returns: `true` if `type` is null or identifies ``__ContributionProvider``. Otherwise, the
///   function doesn't write to `out`.
public func __provideContribution(
  _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ list: @escaping @isolated(any) (__Contributions) -> Void
) -> Bool {
  provide(__ContributionProvider(list: list), out, type)
}
