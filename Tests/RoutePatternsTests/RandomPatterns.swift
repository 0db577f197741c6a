import TestSupport

// The patterns and URLs consist of few different words, so that they match often.

extension SeededGenerator {
  mutating func pick(_ words: [String]) -> String { words[below(words.count)] }

  /// Returns a random well-formed pattern.
  mutating func pattern() -> String {
    let scheme = pick(["shop", "SHOP", "https", "http"])
    if one(in: 12) { return scheme + ":**" }
    var text = scheme + "://"
    text += pick([
      "a", "a", "A", "b.example", "", ":h", ":h.example", ":h(Int).example", "*", "a:8080", "b.example:443", ":h(Bool)",
      "ü.example", ":h.ü.example",
      "[::1]:80", "%61",
    ])
    let depth = below(5)
    for number in 0..<depth {
      text += "/"
      text += pick([
        "a", "a", "b", "A", "%61", "a%2Fb", "%C3%A9", "_", "", ":p", ":p", ":p.html", ":p.b.html", ":p%2F", ":p(Int)",
        ":p(UInt)", ":p(Double)", ":p(Double).5", ":p(Bool)", ":p(UUID)", ":p(Int).html", ":p(Name)", ":p(Name).html",
        "*", "*",
      ]).numbered(number)
    }
    // Optional segments begin with their own slash.
    let canBeOptional = !text.hasSuffix("/")
    if canBeOptional, one(in: 6) { text += optional() }
    if one(in: 5) {
      text += "#/" + pick(["", "a", ":f", ":f/b", "**", "a/:f(Int)", "*/**", ":f(/:g)", "a(/:g)", "a/"])
    } else if one(in: 4) {
      text += canBeOptional ? pick(["/**", "(/**)"]) : "/**"
    } else if one(in: 4) {
      text += "/"
    }
    return text
  }

  /// Returns optional segments of a pattern.
  private mutating func optional() -> String {
    pick(["(/a)", "(/:o)", "(/:o(Int))", "(/a/:o)", "(/a(/:o))", "(/:o)(/:r)", "(/a)(/:o.html)(/b)"])
  }

  /// Returns a random text that resembles a URL and can match a pattern.
  mutating func url() -> String {
    var text =
      pick(["shop", "shop", "https", "http", "HTTPS", "sh%6fp", ""]) + pick(["://", "://", "://", "://", ":", ":/"])
    if one(in: 10) { text += pick(["user@", "user:secret@", "a@b@", "@"]) }
    text += pick([
      "a", "a", "A", "%61", "b.example", "B.EXAMPLE", "7.example", "x.example", ".example", "", "ü.example",
      "Ü.example",
      "%c3%bc.example", "xn--tda.example", "[::1]", "[::1", "a%2Fb", "\u{212a}", "A%20b", "XN--TDA.Example",
      "x.%C3%9C.example", "X.xn--tda.example", "X.EXAMPLE", "True", "true", "xn--a",
    ])
    if one(in: 4) { text += pick([":", ":80", ":443", ":0443", ":8080", ":65536", ":x"]) }
    for _ in 0..<below(6) {
      text += "/"
      text += pick([
        "a", "a", "a", "b", "A", "%61", "%41", "a%2Fb", "a%2fb", "é", "e\u{301}", "%c3%a9", "_", "", "7", "7", "-7",
        "007",
        "+7", "1e5", "1e999", "7.5", "true", "x.html", "7.html", "x.b.html", ".html", "html", "x/", "..", "%2E", "%zz",
        "%ff", "x%C2%85", "x%E2%80%AE", "x%C2%A0",
        "%", "%252e", "%2E%2E.html", "..%2Fa", "18446744073709551615", "9223372036854775808",
        "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", ":p", "*",
        "**",
      ])
    }
    if one(in: 4) { text += "/" }
    if one(in: 4) {
      text += pick([
        "?", "?x=shop://a/b", "?a/b#/c", "#", "#?x", "#a#b", "#/a", "#/a/b", "#/7/b?c", "#/", "#/a/../b", "#/%zz",
      ])
    }
    return text
  }
}

extension String {
  /// Returns the segment with a number in the name of its parameter.
  fileprivate func numbered(_ number: Int) -> String {
    guard hasPrefix(":p") else { return self }
    return ":p\(number)" + dropFirst(2)
  }
}
