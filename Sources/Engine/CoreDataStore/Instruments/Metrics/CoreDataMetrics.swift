import CSwiftRuntime
import CoreDataModeling
import Synchronization

/// Counters, timers and gauges of what the library does, for the metrics system of a server.
///
/// Without a handler nothing is counted, and each place that counts costs one load. With one, statements are watched as in a
/// recording of ``CoreDataInstruments``, without their plans.
///
/// One handler serves the process, and may come and go at any time. May be used from any thread. This is not in Apple's
/// framework.
///
/// ```swift
/// struct PrintedMetrics: CoreDataMetricsHandler {
///     func increment(_ counter: CoreDataMetrics.Counter, by amount: Int, dimensions: CoreDataMetrics.Dimensions) {
///         print(counter.rawValue, amount)
///     }
///     func record(_ duration: Duration, of timer: CoreDataMetrics.Timer, dimensions: CoreDataMetrics.Dimensions) {}
///     func set(_ gauge: CoreDataMetrics.Gauge, to value: Int, dimensions: CoreDataMetrics.Dimensions) {}
/// }
/// CoreDataMetrics.handler = PrintedMetrics()
/// ```
public enum CoreDataMetrics {
    /// What is counted. The raw value is the name under which a metrics system has it.
    public enum Counter: String, Sendable, CaseIterable {
        /// Saves of a context to its stores; by ``Dimension/namespace``.
        case saves = "coredata.saves"
        /// Rows that a save found changed by others, and unique values that it found taken; by ``Dimension/namespace``.
        case saveConflicts = "coredata.save.conflicts"
        /// Fetches, counts among them; by ``Dimension/collection``.
        case fetches = "coredata.fetches"
        /// Rows that statements of SQL found; by ``Dimension/system`` and ``Dimension/namespace``.
        case rowsRead = "coredata.rows.read"
        /// Faults whose rows had to be read from the store; by ``Dimension/collection`` and ``Dimension/namespace``.
        case faultsFired = "coredata.faults.fired"
        /// Waits for a lock of a SQLite file, or for a reader of a store; by ``Dimension/namespace`` and ``Dimension/reason``.
        case busyWaits = "coredata.busy.waits"
        /// Migrations of stores that were opened; by ``Dimension/namespace`` and ``Dimension/outcome``.
        case migrations = "coredata.migrations"
    }

    /// What is timed. The raw value is the name under which a metrics system has it.
    public enum Timer: String, Sendable, CaseIterable {
        /// An execution of a statement of SQL; by ``Dimension/system`` and ``Dimension/namespace``.
        case statement = "db.client.operation.duration"
        /// A save of a context to its stores; by ``Dimension/namespace``.
        case save = "coredata.save.duration"
        /// A fetch or a count; by ``Dimension/collection``.
        case fetch = "coredata.fetch.duration"
        /// A wait for a reader of a store, where all were in use; by ``Dimension/pool``.
        case readerWait = "db.client.connection.wait_time"
        /// A migration of a store that was opened; by ``Dimension/namespace`` and ``Dimension/outcome``.
        case migration = "coredata.migration.duration"
    }

    /// A value that rises and falls. The raw value is the name under which a metrics system has it.
    public enum Gauge: String, Sendable, CaseIterable {
        /// The connections that a store has for readers; by ``Dimension/system``, ``Dimension/pool`` and ``Dimension/state``.
        case readerConnections = "db.client.connection.count"
    }

    /// The names of dimensions, those of OpenTelemetry's conventions for databases where they have one.
    public enum Dimension {
        /// The database system: `sqlite` or `postgresql`.
        public static let system = "db.system.name"
        /// The store: the name of its file, or the last part of its URL's path.
        public static let namespace = "db.namespace"
        /// The name of an entity.
        public static let collection = "db.collection.name"
        /// The store to which readers belong, named like ``namespace``.
        public static let pool = "db.client.connection.pool.name"
        /// What readers are doing: `used` or `idle`.
        public static let state = "db.client.connection.state"
        /// What was waited for: `lock` or `reader`.
        public static let reason = "coredata.wait.reason"
        /// What became of a migration: `done` or `failed`.
        public static let outcome = "coredata.outcome"
    }

    /// Names of dimensions with their values, such as `("db.namespace", "Shop.sqlite")`.
    public typealias Dimensions = [(String, String)]

    /// Takes the metrics of the process; nil, as at first, for nothing.
    public static var handler: (any CoreDataMetricsHandler)? {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            InstrumentRecorder.setWanted(COREDATA_METRICS, newValue != nil)
        }
    }

    /// Guards the handler; not locked while it runs.
    private static let current = Mutex<(any CoreDataMetricsHandler)?>(nil)

    /// Whether there is a handler; one load.
    @inline(__always) package static var isOn: Bool { coredata_instruments_wanted(COREDATA_METRICS) != 0 }
}

/// Takes the library's metrics; ``CoreDataMetrics/handler`` of the process.
///
/// Called on the threads that do the work, which may hold a store: a handler must return soon, and must not use Core Data.
public protocol CoreDataMetricsHandler: Sendable {
    /// Something happened a number of times.
    func increment(_ counter: CoreDataMetrics.Counter, by amount: Int, dimensions: CoreDataMetrics.Dimensions)
    /// Something took a time.
    func record(_ duration: Duration, of timer: CoreDataMetrics.Timer, dimensions: CoreDataMetrics.Dimensions)
    /// Something has another value now.
    func set(_ gauge: CoreDataMetrics.Gauge, to value: Int, dimensions: CoreDataMetrics.Dimensions)
}
