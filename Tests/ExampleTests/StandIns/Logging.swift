// What the guide of monitoring uses of swift-log, in the shapes that it has there.

public struct Logger: Sendable {
    public enum Level: String, Sendable { case trace, debug, info, notice, warning, error, critical }

    public struct Message: ExpressibleByStringInterpolation, Sendable {
        public let description: String
        public init(stringLiteral value: String) { description = value }
    }

    public enum MetadataValue: Sendable { case string(String) }

    public typealias Metadata = [String: MetadataValue]

    public let label: String

    public init(label: String) { self.label = label }

    public func log(
        level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
        source: @autoclosure () -> String? = nil, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) {}
}
