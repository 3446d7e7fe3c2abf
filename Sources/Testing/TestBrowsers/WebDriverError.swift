/// The error that the driver of a web browser returned for a command.
public struct WebDriverError: Error, CustomStringConvertible, Sendable {
    /// The protocol's word: `no such element`, `stale element reference`, `javascript error`.
    public let code: String
    public let message: String

    public var description: String { "\(code): \(message)" }
}
