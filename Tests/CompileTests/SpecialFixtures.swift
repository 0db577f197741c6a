// Fixtures for code that is compiled in its own way.

/// A script, whose statements are at the top level.
let script = Fixture(
  name: "main.swift",
  source: """
    import Lifecycle
    import Registry
    import Routing
    nonisolated protocol Scripted {}
    @ExportService((any Scripted).self) struct ScriptService: Scripted {}
    @ExportModule final class ScriptModule: Module { init() {} }
    extension Event where Payload == Void, Outcome == Void { static var scripted: Self { .init("scripted") } }
    var count = 0
    #onEvent(.scripted) { _ in count += 1 }
    #onEvent(.scripted, once: true) { _ in
      print(count)
    }
    enum ScriptSpace { #onEvent(.scripted) { _ in } }
    extension Route where Parameters == Void, Outcome == Int { static var scripted: Self { .init("scripted") } }
    #exportRoute(.scripted) { count }
    #exportAction("script", "count") { count += 1 }
    @ExportRoute(.made) struct ScriptRoute { init() {} }
    extension Route where Parameters == Void, Outcome == ScriptRoute { static var made: Self { .init("made") } }
    print("hello")
    """)

/// Types that do not exist on this platform and have no record, and types that exist.
let unavailableTypes = Fixture(
  name: "Unavailable.swift",
  source: """
    import Lifecycle
    import Registry
    import Routing
    @ExportService((any P).self) @available(*, unavailable) struct UA: P {}
    @ExportService((any P).self) @available(swift, obsoleted: 5) struct UB: P {}
    @available(*, unavailable) enum UOuter {
      @ExportService((any P).self) struct A: P {}
      #onEvent(.scripted) { _ in }
    }
    @ExportModule @available(*, unavailable) final class UM: Module { init() {} }
    @available(swift, obsoleted: 4)
    extension Route where Parameters == Void, Outcome == UR { static var r: Self { .init("r") } }
    @ExportRoute(.r) @available(swift, obsoleted: 4) struct UR: Sendable {}
    @ExportService((any P).self) @available(macOS, unavailable) @available(iOS, obsoleted: 12) struct AvailableHere: P {}
    #if os(macOS)
    @available(*, unavailable)
    #endif
    @ExportService((any P).self) struct AvailableToo: P {}
    @ExportModule @available(tvOS, unavailable) final class AvailableModule: Module { init() {} }
    @available(visionOS, unavailable) enum HandlerHere { #onEvent(.scripted) { _ in } }
    """, omitted: ["serv": 3, "modu": 1, "evnt": 1, "rout": 1])

/// Unsafe types, a service that every class implements, and attributes in conditional compilation,
/// which do not count as duplicates.
let specialTypes = Fixture(
  name: "Special.swift",
  source: """
    import Lifecycle
    import Registry
    import Routing
    protocol Special: Sendable {}
    @ExportService((any Special).self) @unsafe struct Unsafe: Special {}
    @ExportRoute(.special) @unsafe struct UnsafeRoute: Sendable { init() {} }
    extension Route where Parameters == Void, Outcome == UnsafeRoute {
      static var special: Self { unsafe .init("special") }
    }
    @ExportModule(activation: .onFirstEvent) @unsafe final class UnsafeModule: @unsafe Module {
      init() {}
      static func subscribe(_ events: Subscriptions<UnsafeModule>) {}
    }
    @ExportService(AnyObject.self) final class EveryClass {}
    #if OTHER_ATTRIBUTES
    @ExportService((any Special).self)
    #else
    @ExportService((any Special).self, scope: .weak)
    #endif
    @ExportService((any Special).self, named: "other")
    final class ConditionalAttributes: Special { init() {} }
    """, omitted: ["serv": 1])

/// Types whose bodies contain regular expressions that look like operators and brackets.
///
/// `Swift::Bool` is not the shadowing `Bool`.
let regularExpressions = Fixture(
  name: "RegularExpressions.swift",
  source: """
    import RegexBuilder
    import Registry
    protocol R {}
    @ExportService((any R).self) struct Divides: R {
      let a: Int? = 1
      var quotient: Int { a!/gg(4/2) }
      func gg(_ x: Int) -> Int { x }
      init(x: Int) {}
      init() {}
    }
    @ExportService((any R).self) struct Builds: R {
      func regex() -> some RegexComponent {
        Regex {
          One("(")
          /[{]/
        }
      }
      init() {}
    }
    @ExportService((any R).self) struct Guards: R {
      func isOpen(_ s: Substring) -> Swift::Bool {
        guard /[{]/ ~= s else { return false }
        return true
      }
      init(x: Int) {}
      init() {}
    }
    func ~= (regex: Regex<Substring>, text: Substring) -> Swift::Bool { text.contains(regex) }
    """)

/// A module with more names than other records have.
let longRecord = Fixture(
  name: "Long.swift",
  source: """
    import Lifecycle
    @ExportModule(after: [\((0..<100).map { "\"Feature\($0).FeatureModule\"" }.joined(separator: ", "))])
    final class Long: Module { init() {} }
    """)
