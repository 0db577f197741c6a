// What Objective-C passes where it asks by name, and nothing has the name: nil, which nobody checks there.
import AppHost
import Foundation

func registerByName(_ name: String) throws {
  let absent: AnyClass? = nil
  REGModules.registerModule(absent)
  REGModules.unregisterModule(absent)
  _ = try REGServices.createService(NSProtocolFromString(name))
  _ = try REGServices.createService(NSProtocolFromString(name), named: nil)
}
