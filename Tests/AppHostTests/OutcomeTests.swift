import AppHost
import Testing

@Suite struct OutcomeTests {
  @Test func `of two fetch results news count most, then a failure`() {
    let expected: [(FetchResult, FetchResult, FetchResult)] = [
      (.newData, .newData, .newData), (.newData, .failed, .newData), (.newData, .noData, .newData),
      (.failed, .failed, .failed), (.failed, .noData, .failed), (.noData, .noData, .noData),
    ]
    for (one, other, result) in expected {
      #expect(one.combined(with: other) == result)
      #expect(other.combined(with: one) == result)
    }
  }

  @Test func `presentation options are united, and say what they are`() {
    #expect(PresentationOptions.banner.union(.sound).description == "[sound, banner]")
    #expect(PresentationOptions([]).description == "[]")
    #expect(PresentationOptions([.badge, .list, .init(rawValue: 64)]).description == "[badge, list, 64]")
  }
}
