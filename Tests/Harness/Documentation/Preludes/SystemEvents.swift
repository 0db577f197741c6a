import AppHost
import Foundation

extension NewsModule {
  func save() {}
  func open(_ url: URL) -> Bool { url.scheme == "news" }
  func fetch(_ story: String?) async throws -> Bool { story != nil }
}

let url = URL(fileURLWithPath: "news")
let notification = RemoteNotification(userInfo: [:])
@MainActor func completionHandler(_ result: BackgroundFetchResult) {}
