// These are the errors of `@Service` and `#needs`.

/// Properties and needs that the plugin rejects.
let rejectedNeeds: [Rejection] = [
  Rejection(
    source: "struct A { @Service let cart: any P }",
    message: "'@Service' requires a variable, because it looks 'cart' up at each use; write 'var' [invalid-property] "
      + "(from macro 'Service ')", place: .at("@Service")),
  Rejection(
    source: "struct A<T> { @Service var cart: any P }",
    message: "'@Service' cannot be applied to 'cart' in the generic type or constrained extension 'A'; write a "
      + "computed property that calls 'createService(for:)', and state the need with '#needs' at the top level of the "
      + "file [generic-type] (from macro 'Service ')", place: .at("@Service")),
  Rejection(
    source: "func f() { @Service var cart: any P }",
    message: "'@Service' cannot be applied to 'cart', which is not in a type; call 'createService(for:)' in code, and "
      + "state the need with '#needs' at the top level of a file or in a type [local-declaration] (from macro "
      + "'Service ')", place: .at("@Service")),
  Rejection(
    source: "@Service var cart: any P",
    message: "'@Service' cannot be applied to 'cart', which is not in a type; call 'createService(for:)' in code, and "
      + "state the need with '#needs' at the top level of a file or in a type [local-declaration] (from macro "
      + "'Service ')", place: .at("@Service")),
  Rejection(
    source: "struct A { @Service(named: text) var cart: any P }",
    message: "'named' must be a string literal such as '\"name\"'; the attribute cannot evaluate expressions "
      + "[not-a-literal] (from macro 'Service')", place: .at("text)")),
  Rejection(
    source: "#needs()",
    message: "'#needs' requires a service, as in '#needs(CartService.self)' [missing-argument] (from macro 'needs')",
    place: .at("#needs")),
  Rejection(
    source: "func f() { #needs((any P).self) }",
    message: "'#needs' cannot be used in a function, closure, or statement; move it to the top level of a file or into "
      + "a type, or call 'modules.expect(…)' [local-declaration] (from macro 'needs')", place: .at("#needs")),
]

/// Properties about which the compiler reports errors of its own as well.
let misfittingNeeds: [Rejection] = [
  Rejection(
    source: "extension Base { @Service(cached: true) var cart: any P }",
    message: "'cached: true' stores the instance of 'cart', but an extension cannot have stored properties; remove "
      + "'cached', or declare the property in a class, struct, or actor [invalid-property] (from macro 'Service')",
    place: .at("@Service")),
  Rejection(
    source: "typealias Maybe = (any P)?\nstruct A { @Service var cart: Maybe }",
    message: "'__provideNeed' is unavailable: the macro cannot see that the type is optional; write it with a question "
      + "mark, as in '(any CartService)?' [optional-alias]", place: .at("cart")),
  Rejection(
    source: "#needs((any P)?.self)",
    message: "'__provideNeed' is unavailable: the macro cannot see that the type is optional; write it with a question "
      + "mark, as in '(any CartService)?' [optional-alias]", place: .at("#needs")),
]
