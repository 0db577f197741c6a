/// The protocol that the page imports from Objective-C.
protocol Clock: AnyObject {}
