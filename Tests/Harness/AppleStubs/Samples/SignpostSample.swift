// An app that shows in Instruments what its modules do.
import LifecycleTracing
import Lifecycle
import os

@MainActor func watch(_ modules: ModuleManager) {
  modules.observers.append(SignpostObserver())
  modules.observers.append(SignpostObserver(OSSignposter(subsystem: "com.example.shop", category: "modules")))
  modules.observers.append(SignpostObserver(.disabled))
}
