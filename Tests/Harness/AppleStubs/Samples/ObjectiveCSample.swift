// Objective-C passes nil for a class or protocol that it cannot find by name, because its compiler
// does not check for nil.
import AppHost
import Foundation

func registerByName(_ name: String) throws {
  let absent: AnyClass? = nil
  REGModules.registerModule(absent)
  REGModules.unregisterModule(absent)
  _ = try REGServices.createService(NSProtocolFromString(name))
  _ = try REGServices.createService(NSProtocolFromString(name), named: nil)
}
