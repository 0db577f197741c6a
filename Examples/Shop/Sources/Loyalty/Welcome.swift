import Lifecycle
import Registry
import ShopAPI

// No module for this: a handler by itself, exported like one.
#onEvent(.userDidLogIn, once: true) { user, context in
  try context.services.createService(for: Display.self).show("loyalty: welcome, \(user.name)")
}
