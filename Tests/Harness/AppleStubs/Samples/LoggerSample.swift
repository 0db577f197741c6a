// An app that writes the diagnostics of its managers to the unified logging system.
import Lifecycle
import Registry
import Routing
import os

@MainActor func log(_ modules: ModuleManager, _ services: ServiceManager, _ router: Router) {
  let handler = Diagnostic.toLogger(Logger(subsystem: "com.example.shop", category: "registry"))
  services.onDiagnostic = handler
  modules.onDiagnostic = handler
  router.onDiagnostic = handler
}
