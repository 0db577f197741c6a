public import Routing

// The routes of one language mode. The harness copies this file for each mode.

extension Route where Parameters == Link, Outcome == String {
  public static var itemMODE: Self { .init("MODE.item", [#pattern("modes://app/MODE/item/:id(Int)")], access: .remote) }
}

extension Route where Parameters == Link, Outcome == any RouteScreen {
  public static var screenMODE: Self {
    .init("MODE.screen", [#pattern("modes://app/MODE/screen/:id")], access: .remote)
  }
}

extension Route where Parameters == Void, Outcome == String {
  public static var homeMODE: Self { .init("MODE.home", [#pattern("modes://app/MODE/home")]) }
}

extension Route where Parameters == Void, Outcome == any RouteScreen {
  public static var choiceMODE: Self { .init("MODE.choice", [#pattern("modes://app/MODE/choice")], access: .remote) }
}
