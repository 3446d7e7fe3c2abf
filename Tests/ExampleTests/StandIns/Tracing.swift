// What the guide of monitoring uses of swift-distributed-tracing, in the shapes that it has there.

public struct ServiceContext: Sendable {
    @TaskLocal public static var current: ServiceContext?
    public static var topLevel: ServiceContext { ServiceContext() }
}

public protocol TracerInstant: Comparable, Hashable, Sendable {
    var nanosecondsSinceEpoch: UInt64 { get }
}

public struct DefaultTracerClock {
    public struct Timestamp: TracerInstant {
        public let nanosecondsSinceEpoch: UInt64
        public init(nanosecondsSinceEpoch: UInt64) { self.nanosecondsSinceEpoch = nanosecondsSinceEpoch }
        public static func < (left: Timestamp, right: Timestamp) -> Bool {
            left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
        }
    }
}

public enum SpanKind: Hashable, Sendable { case server, client, producer, consumer, `internal` }

public enum SpanAttribute: Equatable, Sendable {
    case int64(Int64)
    case string(String)
}

public struct SpanAttributes: Equatable, Sendable {
    private var values: [String: SpanAttribute] = [:]
    public subscript(_ name: String) -> SpanAttribute? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

public protocol Span: Sendable {
    var attributes: SpanAttributes { get nonmutating set }
    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant)
}

public struct NoOpSpan: Span {
    public var attributes: SpanAttributes {
        get { SpanAttributes() }
        nonmutating set {}
    }
    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {}
}

public func startSpan<Instant: TracerInstant>(
    _ operationName: String, at instant: @autoclosure () -> Instant,
    context: @autoclosure () -> ServiceContext = .current ?? .topLevel, ofKind kind: SpanKind = .internal,
    function: String = #function, file fileID: String = #fileID, line: UInt = #line
) -> any Span { NoOpSpan() }
