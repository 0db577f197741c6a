@_exported import RegistryTesting
@_exported import Testing
@_exported import XCTest

import Lifecycle
import Registry

@MainActor protocol Display: Sendable {}
struct SilentDisplay: Display {}
@MainActor final class RecordingDisplay: Display {
  var lines: [String] = []
}

final class CartModule: Module {}

protocol PaymentService: Sendable {}
struct FakePayment: PaymentService {}
func checkOut() throws {}
