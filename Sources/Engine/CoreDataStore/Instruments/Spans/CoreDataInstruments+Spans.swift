import CSwiftRuntime
import CoreDataModeling
import Synchronization

extension CoreDataInstruments {
    /// Something that the library did, as distributed tracing has it.
    ///
    /// Names and attributes are those of OpenTelemetry's semantic conventions for databases: a statement of SQL is a span
    /// `SELECT ZHERO` with `db.system.name`, `db.namespace`, `db.query.summary` and `db.query.text`, with `server.address`
    /// and `server.port` where a server carries it out, and with `error.type` if it failed: the SQLSTATE, or the name of
    /// SQLite's code. A fetch is `fetch Hero` with `db.operation.name` and `db.collection.name`. No value of an attribute is
    /// in it: predicates have `$v` in the place of values, statements have placeholders.
    public struct Span: Sendable {
        /// What a span is to the process.
        public enum Kind: Sendable {
            /// Work of the library: a fetch, a save, a fault.
            case `internal`
            /// A call of a database: a statement of SQL.
            case client
        }

        /// The value of an attribute.
        public enum Value: Sendable, Hashable {
            /// A text.
            case string(String)
            /// A number.
            case integer(Int)
        }

        /// A name by which spans can be grouped: the operation and its target.
        public let name: String
        /// What it is to the process.
        public let kind: Kind
        /// When it began, in nanoseconds since 1970.
        public let startTime: UInt64
        /// When it was over, in nanoseconds since 1970.
        public let endTime: UInt64
        /// What is known of it, by the names of the conventions.
        public let attributes: [String: Value]
    }

    /// Takes each span when it is over, on the thread that did the work; nil, as at first, for none.
    ///
    /// Within a task, `ServiceContext.current` of swift-distributed-tracing is that of the caller of the library. A span
    /// comes after those that are part of it. The thread may hold a store: a handler must return soon, and must not use Core
    /// Data. Without a handler the library pays one load an operation.
    public static var spanHandler: (@Sendable (Span) -> Void)? {
        get { spans.withLock { $0 } }
        set {
            spans.withLock { $0 = newValue }
            InstrumentRecorder.setWanted(COREDATA_SPANS, newValue != nil)
        }
    }

    /// Guards the handler; not locked while it runs.
    private static let spans = Mutex<(@Sendable (Span) -> Void)?>(nil)
}

/// The spans that events are reported as.
enum SpanReporting {
    static func report(_ event: InstrumentEvent, end: UInt64) {
        guard let handler = CoreDataInstruments.spanHandler else { return }
        let description = SpanDescription(event)
        let sinceBoot = coredata_monotonic_time()
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let present = UInt64(max(0, now.tv_sec)) &* 1_000_000_000 &+ UInt64(max(0, now.tv_nsec))
        func time(_ moment: UInt64) -> UInt64 {
            let age = sinceBoot > moment ? sinceBoot - moment : 0
            return present > age ? present - age : 0
        }
        handler(
            CoreDataInstruments.Span(
                name: description.name, kind: description.isClient ? .client : .internal, startTime: time(event.start),
                endTime: time(max(end, event.start)),
                attributes: Dictionary(description.attributes.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })))
    }
}
