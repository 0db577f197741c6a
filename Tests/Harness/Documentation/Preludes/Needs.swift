import Lifecycle
import Registry
import Routing

protocol PaymentService: Sendable {}
protocol PriceService: Sendable {}
protocol PromotionService: Sendable {}
protocol Ticket: Sendable {}

extension Route where Parameters == Int, Outcome == String {
  nonisolated static var orderDetail: Self { .init("shop.orderDetail") }
}
