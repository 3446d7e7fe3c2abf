// What the guide of monitoring uses of swift-metrics, in the shapes that it has there.

public final class Counter: Sendable {
    public init(label: String, dimensions: [(String, String)] = []) {}
    public func increment<DataType: BinaryInteger>(by amount: DataType) {}
}

public final class Timer: Sendable {
    public init(label: String, dimensions: [(String, String)] = []) {}
    public func recordNanoseconds(_ duration: Int64) {}
}

public final class Gauge: Sendable {
    public init(label: String, dimensions: [(String, String)] = []) {}
    public func record<DataType: BinaryInteger>(_ value: DataType) {}
}
