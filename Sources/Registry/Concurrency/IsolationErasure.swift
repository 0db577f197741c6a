// Swift cannot call an `@isolated(any)` function synchronously. The compiler rejects the call on
// every actor, even inside `assumeIsolated`, and warns about a conversion that drops the isolation.
// Overloads cannot replace these functions, because records and clients pass functions with any
// isolation.
//
// Like `assumeIsolated` in the standard library, these functions use a bit cast, because isolation
// is part of a function's type but not of its representation. They cast a structure that holds the
// function. Casting the function itself would need type metadata that systems before iOS 18 can't
// create, and would wrap the function in two thunks.

/// Returns a function that can be called synchronously on the actor in `function.isolation`.
///
/// Call the result only on that actor, or anywhere if there is no actor.
package func withoutIsolation<Result>(
  _ function: @escaping @isolated(any) () throws -> Result
) -> () throws -> Result {
  unsafeBitCast(IsolatedFactory(function: function), to: UnisolatedFactory<Result>.self).function
}

package func withoutIsolation<Argument, Result>(
  _ function: @escaping @isolated(any) (Argument) throws -> Result
) -> (Argument) throws -> Result {
  unsafeBitCast(IsolatedFunction(function: function), to: UnisolatedFunction<Argument, Result>.self).function
}

private struct IsolatedFactory<Result> {
  let function: @isolated(any) () throws -> Result
}

private struct UnisolatedFactory<Result> {
  let function: () throws -> Result
}

private struct IsolatedFunction<Argument, Result> {
  let function: @isolated(any) (Argument) throws -> Result
}

private struct UnisolatedFunction<Argument, Result> {
  let function: (Argument) throws -> Result
}
