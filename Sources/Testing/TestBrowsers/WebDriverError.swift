/// The error that the driver of a web browser returned for a command.
public struct WebDriverError: Error, CustomStringConvertible, Sendable {
    /// The protocol's error code, such as `no such element` or `javascript error`.
    public let code: String
    public let message: String

    public var description: String { "\(code): \(message)" }
}
