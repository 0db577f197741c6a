/// A phase of a module. The raw value is the name of its method.
package enum ModulePhase: String, Sendable {
  case initializer = "init"
  case setUp
  case initialize
  case didFinishStarting
  case tearDown
  case becomeReady
  case run
  case shutDown
}
