/// Stops the process with a message that states the broken rule, where Apple's framework raises an exception.
package func stop(_ message: @autoclosure () -> String, file: StaticString = #file, line: UInt = #line) -> Never {
    // A programmer's mistake, which Apple answers with an exception; for data from outside there is a throwing twin.
    fatalError(message(), file: file, line: line)
}

/// The result of a throwing twin, or a stop with the error's own words.
package func orStop<Value>(_ body: () throws -> Value) -> Value {
    do { return try body() } catch { stop(String(describing: error)) }
}
