import CoreDataModeling

/// Records what the library does in this process: fetches, saves, faults and SQL statements, with their times and call
/// sites.
///
/// If the environment variable or launch argument `OPENCOREDATA_INSTRUMENTS` is `1`, the library calls `offer()`
/// itself. While nothing is recorded, an operation costs one extra load. All methods may be called from any thread.
/// Recordings contain predicates and SQL statements without values; the bound values are recorded only on request.
///
/// ```swift
/// try CoreDataInstruments.startRecording(to: URL(fileURLWithPath: "/tmp/shop.trace"))
/// let orders = try context.fetch(NSFetchRequest<Order>(entityName: "Order"))
/// let summary = CoreDataInstruments.stopRecording()
/// print(orders.count, "orders,", summary?.events ?? 0, "events")
/// ```
public enum CoreDataInstruments {
    /// The summary of a recording.
    public struct Summary: Sendable, Equatable {
        /// The number of events that were recorded.
        public let events: Int
        /// The number of events that were dropped because they came faster than they could be written.
        public let dropped: Int
    }

    /// Records into a file until `stopRecording()`; `coredata instruments FILE` shows the file, also during the
    /// recording.
    ///
    /// Replaces an existing file. If `includesValues` is true, the values bound to statements are recorded too.
    /// - Throws: an error of `NSCocoaErrorDomain` if the file cannot be created, or if a recording is already running.
    public static func startRecording(to url: URL, includesValues: Bool = false) throws {
        let file = try FileTrace(at: url)
        guard InstrumentRecorder.start(file, options: InstrumentOptions(includesValues: includesValues)) else {
            throw CoreDataError.make(
                NSCoreDataError, "The process is being recorded already.",
                hint: "Call stopRecording(), or let go of the process in 'coredata instruments'.")
        }
    }

    /// Ends the recording and writes the remaining events; returns nil if nothing was being recorded.
    @discardableResult public static func stopRecording() -> Summary? {
        InstrumentRecorder.stop().map { Summary(events: $0.events, dropped: $0.dropped) }
    }

    /// Whether something is being recorded.
    public static var isRecording: Bool { InstrumentRecorder.isRecording }

    /// Lets `coredata instruments` of the same user record this process through a socket in
    /// `$XDG_RUNTIME_DIR/opencoredata`.
    ///
    /// Only the user may access the folder and the socket, and the user of each connecting process is checked. Nothing
    /// is recorded until a process connects. A second call does nothing.
    /// - Throws: an error of `NSCocoaErrorDomain` if `XDG_RUNTIME_DIR` is not set or the socket cannot be created.
    public static func offer() throws { try InstrumentSocket.offer() }
}
