import CSwiftRuntime
import CoreDataModeling
import Synchronization

extension CoreDataInstruments {
    /// An operation of the library, in the terms of distributed tracing.
    ///
    /// Names and attributes are those of OpenTelemetry's semantic conventions for databases. An SQL statement is a span
    /// named like `SELECT ZHERO` with `db.system.name`, `db.namespace`, `db.query.summary` and `db.query.text`; with
    /// `server.address` and `server.port` if a server executes it; and with `error.type` if it failed: the SQLSTATE, or
    /// SQLite's name of the result code. A fetch is named like `fetch Hero`, with `db.operation.name` and
    /// `db.collection.name`. A span contains no attribute values of objects: predicates have `$v` and statements have
    /// placeholders instead.
    public struct Span: Sendable {
        /// The role of a span in the process.
        public enum Kind: Sendable {
            /// Work within the library: a fetch, a save, a fault.
            case `internal`
            /// A call to a database: an SQL statement.
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
        /// The role of the span in the process.
        public let kind: Kind
        /// When it began, in nanoseconds since 1970.
        public let startTime: UInt64
        /// When it ended, in nanoseconds since 1970.
        public let endTime: UInt64
        /// The span's attributes, by the names of the conventions.
        public let attributes: [String: Value]
    }

    /// Receives each span when it ends, on the thread that did the work; nil, the initial value, turns spans off.
    ///
    /// Within a task, `ServiceContext.current` of swift-distributed-tracing is the context of the caller of the
    /// library. A span is passed after the spans that are part of it. The thread may have a store locked: a handler
    /// must return soon, and must not use Core Data. Without a handler an operation costs one extra load.
    public static var spanHandler: (@Sendable (Span) -> Void)? {
        get { spans.withLock { $0 } }
        set {
            spans.withLock { $0 = newValue }
            InstrumentRecorder.setWanted(COREDATA_SPANS, newValue != nil)
        }
    }

    /// Protects the handler; unlocked while the handler runs.
    private static let spans = Mutex<(@Sendable (Span) -> Void)?>(nil)
}

/// Converts events to spans.
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
