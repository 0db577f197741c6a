public import Foundation
public import Observation
public import Routing

/// A page of the app, which shows the outcome of a route.
public struct Page: Hashable, Sendable {
  /// The outcome of the route, such as a screen of a feature.
  public let content: any Sendable
  private let id = UUID()

  public static func == (one: Page, other: Page) -> Bool { one.id == other.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The pages that the app shows above its first page.
///
/// Taps and links open routes. If the outcome of a route is not `Void`, it becomes a page.
@Observable @MainActor public final class NavigationModel {
  public static let shared = NavigationModel()

  /// The pages, in the order in which they were opened.
  public var pages: [Page] = []
  /// The reason that the last route failed to open, or nil.
  public var problem: String?

  private let router: Router

  public init(_ router: Router = .shared) {
    self.router = router
  }

  /// Opens a route for the app itself.
  public func open<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ parameters: Parameters
  ) async {
    await show { try await self.router.open(route, parameters) }
  }

  /// Opens a link. A link from outside the app reaches only remote routes.
  public func open(_ link: URL, from origin: RouteOrigin) async {
    await show { try await self.router.open(link, from: origin).value }
  }

  public func showFirstPage() { pages = [] }

  private func show(_ outcome: () async throws -> any Sendable) async {
    do {
      let content = try await outcome()
      problem = nil
      if !(content is Void) { pages.append(Page(content: content)) }
    } catch {
      problem = "\(error)"
    }
  }
}
