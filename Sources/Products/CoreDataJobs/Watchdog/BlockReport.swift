/// A block of the main queue over the limit.
public struct BlockReport: Sendable, CustomStringConvertible {
    /// How long the main queue did nothing else.
    public let duration: Duration
    /// The functions that the main thread was in when the limit was reached, the innermost first; empty if they are not known.
    public let stack: [String]

    /// A line with the duration, and one for each function.
    public var description: String {
        let milliseconds = Int64((duration / .milliseconds(1)).rounded())
        let lines = stack.isEmpty ? ["the stack is not known"] : stack
        return "the main queue was blocked for \(milliseconds) ms\n" + lines.map { "    \($0)" }.joined(separator: "\n")
    }
}
