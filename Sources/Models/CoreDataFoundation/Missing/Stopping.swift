/// Stops the process with a message that states the broken rule, where Apple's framework raises an exception.
package func stop(_ message: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line) -> Never {
    // For programming errors only, for which Apple's framework raises an exception; for data from outside, throw an
    // error.
    fatalError(message(), file: file, line: line)
}

/// Returns the result of a closure, or stops the process with the description of the error that the closure throws.
package func orStop<Value>(_ body: () throws -> Value) -> Value {
    do { return try body() } catch { stop(String(describing: error)) }
}
