// An app that shows the activity of its modules in Instruments.
import LifecycleTracing
import Lifecycle
import os

@MainActor func watch(_ modules: ModuleManager) {
  modules.observers.append(SignpostObserver())
  modules.observers.append(SignpostObserver(OSSignposter(subsystem: "com.example.shop", category: "modules")))
  modules.observers.append(SignpostObserver(.disabled))
}
