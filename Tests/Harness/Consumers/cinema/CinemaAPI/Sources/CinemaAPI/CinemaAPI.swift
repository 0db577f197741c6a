public import Lifecycle
public import Routing

/// The films that the cinema shows.
public protocol FilmService: Sendable {
  /// Returns the title of a film, or nil if the cinema does not show it.
  func title(of film: Int) -> String?
}

/// The free seats.
public protocol SeatService: Sendable {
  /// Reserves a seat and returns its name.
  func reserveSeat() async -> String
}

/// A guest's visit.
public struct Visit: Sendable {
  public let guest: String
  public let film: Int

  public init(guest: String, film: Int) {
    self.guest = guest
    self.film = film
  }
}

extension AsyncEvent where Payload == Visit, Outcome == [String] {
  /// A guest has come. The answers are what the guest receives.
  public static var guestCame: Self { .init("cinema.guestCame", combining: .collect) }
}

/// The parameters of the route to a film.
public struct FilmLink: Codable, Sendable {
  public let id: Int

  public init(id: Int) {
    self.id = id
  }
}

extension Route where Parameters == FilmLink, Outcome == String {
  /// The poster of a film.
  public static var film: Self { .init("films.film", [#pattern("cinema://film/:id(Int)")], access: .remote) }

  /// The greeting of a guest, which only the plug-in knows.
  public static var toast: Self { .init("gala.toast", [#pattern("cinema://toast/:id(Int)")], access: .remote) }
}
