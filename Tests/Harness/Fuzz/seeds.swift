// Nested, private, generic, and extended types, for the seed corpus.

public struct Outer { public final class Inner {} }
class Base {}
private class Hidden { struct Deep {} }
struct Generic<T> { struct Nested {} }
protocol Priced {}
extension Outer { enum Extended { case one } }
