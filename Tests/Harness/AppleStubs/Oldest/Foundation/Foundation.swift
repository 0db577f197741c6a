// The part of Foundation that `Routing` uses, with the versions that introduced it. Bodies are not
// compiled.
@_exported import Swift

public struct URL: Hashable, Sendable, Codable {
  public init?(string: String) { nil }
  public var absoluteString: String { fatalError() }
  public var scheme: String? { fatalError() }
  public init(from decoder: any Decoder) throws { fatalError() }
  public func encode(to encoder: any Encoder) throws {}
}

extension String {
  public enum CompareOptions { case regularExpression }
  public func range(of target: String, options: CompareOptions) -> Range<Index>? { nil }
}

public struct URLQueryItem: Hashable, Sendable {
  public init(name: String, value: String?) {}
  public var name: String
  public var value: String?
}

public struct UUID: Hashable, Sendable, Codable {
  public init?(uuidString: String) { nil }
  public var uuidString: String { fatalError() }
}

public struct Locale: Hashable, Sendable {
  public init(identifier: String) {}
}

public struct Decimal: Hashable, Sendable, Codable, CustomStringConvertible {
  public init?(string: String, locale: Locale? = nil) { nil }
  public var description: String { fatalError() }
}

public struct Data: Hashable, Sendable, Codable {
  public init(_ bytes: [UInt8]) {}
}

public struct Date: Hashable, Sendable, Codable {
  public init(timeIntervalSinceReferenceDate: Double) {}
  public var timeIntervalSinceReferenceDate: Double { fatalError() }
}

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
public protocol FormatStyle<FormatInput, FormatOutput>: Codable, Hashable {
  associatedtype FormatInput
  associatedtype FormatOutput
}

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
public protocol ParseStrategy<ParseInput, ParseOutput>: Codable, Hashable {
  associatedtype ParseInput
  associatedtype ParseOutput
}

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
extension Date {
  public struct ISO8601FormatStyle: Sendable, FormatStyle, ParseStrategy {
    public typealias FormatInput = Date
    public typealias FormatOutput = String
    public typealias ParseInput = String
    public typealias ParseOutput = Date
    public init(includingFractionalSeconds: Bool = false) {}
    public func format(_ value: Date) -> String { fatalError() }
    public func parse(_ value: String) throws -> Date { fatalError() }
  }

  public func formatted<Style: FormatStyle>(_ style: Style) -> Style.FormatOutput where Style.FormatInput == Date {
    fatalError()
  }
}
