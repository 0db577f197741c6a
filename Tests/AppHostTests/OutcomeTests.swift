import AppHost
import Registry
import Testing

@Suite struct OutcomeTests {
  @Test func `new data takes precedence over a failure, and a failure over no data`() {
    let expected: [(BackgroundFetchResult, BackgroundFetchResult, BackgroundFetchResult)] = [
      (.newData, .newData, .newData), (.newData, .failed, .newData), (.newData, .noData, .newData),
      (.failed, .failed, .failed), (.failed, .noData, .failed), (.noData, .noData, .noData),
    ]
    for (one, other, result) in expected {
      #expect(one.combined(with: other) == result)
      #expect(other.combined(with: one) == result)
    }
  }

  @Test func `the system's bits are taken option by option, and the alert of before iOS 14 is a banner and an entry`() {
    #expect(NotificationPresentationOptions(systemBits: 0b11010) == [.sound, .list, .banner])
    #expect(
      NotificationPresentationOptions(systemBits: 0b00110) == [.sound, .list, .banner], "delegates still answer it")
    #expect(NotificationPresentationOptions(systemBits: 0).systemBits == 0)
    #expect(NotificationPresentationOptions([.badge, .list]).systemBits == 0b01001)
    #expect(NotificationPresentationOptions([.list, .banner]).systemBits == 0b11000)
  }
}
