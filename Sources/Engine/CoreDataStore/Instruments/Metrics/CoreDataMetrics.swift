import CSwiftRuntime
import CoreDataModeling
import Synchronization

/// Counters, timers and gauges of the library's operations, for the metrics system of a server.
///
/// Without a handler nothing is counted, and each place in the library that would count costs one load. With a handler,
/// statements are reported as in a recording of ``CoreDataInstruments``, but without their query plans.
///
/// The process has one handler, which the program may set and remove at any time, from any thread. This is not in
/// Apple's framework.
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
    /// What is counted. The raw value is the name of the metric.
    public enum Counter: String, Sendable, CaseIterable {
        /// Saves of a context to its stores, not to a parent; by ``Dimension/namespace``.
        case saves = "coredata.saves"
        /// Conflicts that a save found: rows that others had changed, and values that violate a uniqueness constraint;
        /// by ``Dimension/namespace``.
        case saveConflicts = "coredata.save.conflicts"
        /// Fetches, including counts; by ``Dimension/collection``.
        case fetches = "coredata.fetches"
        /// Rows that SQL statements returned; by ``Dimension/system`` and ``Dimension/namespace``.
        case rowsRead = "coredata.rows.read"
        /// Faults whose rows had to be read from the store; by ``Dimension/collection`` and ``Dimension/namespace``.
        case faultsFired = "coredata.faults.fired"
        /// Waits for the lock on a SQLite file, or for a reader of a store; by ``Dimension/namespace`` and
        /// ``Dimension/reason``.
        case busyWaits = "coredata.busy.waits"
        /// Migrations of stores when they were added; by ``Dimension/namespace`` and ``Dimension/outcome``.
        case migrations = "coredata.migrations"
    }

    /// What is timed. The raw value is the name of the metric.
    public enum Timer: String, Sendable, CaseIterable {
        /// An execution of an SQL statement; by ``Dimension/system`` and ``Dimension/namespace``.
        case statement = "db.client.operation.duration"
        /// A save of a context to its stores; by ``Dimension/namespace``.
        case save = "coredata.save.duration"
        /// A fetch or a count; by ``Dimension/collection``.
        case fetch = "coredata.fetch.duration"
        /// A wait for a reader of a store while all readers were in use; by ``Dimension/pool``.
        case readerWait = "db.client.connection.wait_time"
        /// A migration of a store when it was added; by ``Dimension/namespace`` and ``Dimension/outcome``.
        case migration = "coredata.migration.duration"
    }

    /// A value that rises and falls. The raw value is the name of the metric.
    public enum Gauge: String, Sendable, CaseIterable {
        /// The connections that a store has open for its readers; by ``Dimension/system``, ``Dimension/pool`` and
        /// ``Dimension/state``.
        case readerConnections = "db.client.connection.count"
    }

    /// The names of dimensions; those that OpenTelemetry's conventions for databases define have the names given there.
    public enum Dimension {
        /// The database system: `sqlite` or `postgresql`.
        public static let system = "db.system.name"
        /// The store: the name of its file, or the last part of its URL's path.
        public static let namespace = "db.namespace"
        /// The name of an entity.
        public static let collection = "db.collection.name"
        /// The store to which readers belong, named as in ``namespace``.
        public static let pool = "db.client.connection.pool.name"
        /// The state of readers: `used` or `idle`.
        public static let state = "db.client.connection.state"
        /// What a thread waited for: `lock` or `reader`.
        public static let reason = "coredata.wait.reason"
        /// How a migration ended: `done` or `failed`.
        public static let outcome = "coredata.outcome"
    }

    /// Pairs of the name and value of a dimension, such as `("db.namespace", "Shop.sqlite")`.
    public typealias Dimensions = [(String, String)]

    /// Receives the metrics of the process; nil, the initial value, turns metrics off.
    public static var handler: (any CoreDataMetricsHandler)? {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            InstrumentRecorder.setWanted(COREDATA_METRICS, newValue != nil)
        }
    }

    /// Protects the handler; unlocked while the handler runs.
    private static let current = Mutex<(any CoreDataMetricsHandler)?>(nil)

    /// Whether the process has a handler; costs one load.
    @inline(__always) package static var isOn: Bool { coredata_instruments_wanted(COREDATA_METRICS) != 0 }
}

/// Receives the library's metrics; set it as the process's ``CoreDataMetrics/handler``.
///
/// Called on the threads that do the work, possibly while a store is locked: a handler must return soon, and must not
/// use Core Data.
public protocol CoreDataMetricsHandler: Sendable {
    /// Adds an amount to a counter.
    func increment(_ counter: CoreDataMetrics.Counter, by amount: Int, dimensions: CoreDataMetrics.Dimensions)
    /// Records the duration of an operation.
    func record(_ duration: Duration, of timer: CoreDataMetrics.Timer, dimensions: CoreDataMetrics.Dimensions)
    /// Sets a gauge to its current value.
    func set(_ gauge: CoreDataMetrics.Gauge, to value: Int, dimensions: CoreDataMetrics.Dimensions)
}
