// The sources that the sample logs in the parent folder refer to. No target compiles them.
import Testing

@Suite struct OrderTests {
  @Test(arguments: ["one", "two"])
  func `an order's total is right, with a discount (or two)`(discount: String) {
    #expect(total(discount) == 1)
  }

  @Test("a receipt is printed once")
  func receipt() throws {
    let order: Order? = nil
    print(order!.receipt)
  }

  @MainActor @Test func `orders from many threads are all kept`() async {
    await withTaskGroup { group in
      group.addTask { Self.count += 1 }
    }
  }
}

extension OrderTests {
  @Suite struct `Late orders` {
    @Test func `an order that never comes is not awaited`() async {}
  }
}
