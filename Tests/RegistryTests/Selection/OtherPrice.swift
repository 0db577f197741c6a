import Registry

// A private type that has the same name as one in TypeReplacementTests.swift.
@ExportService(Price.self, named: "private", priority: 20)
private struct OldPrice: Price { let label = "other" }
