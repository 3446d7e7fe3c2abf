import CoreDataModeling

/// The recording of what the library does in this process: fetches, saves, faults, statements, with times and call sites.
///
/// A program that is started with the environment variable or launch argument `OPENCOREDATA_INSTRUMENTS` set to `1` calls
/// `offer()` automatically. While nothing is recorded, an operation costs one extra load. All methods may be called from
/// any thread. Values of attributes are only recorded on request; predicates and statements always are, without values.
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
        /// The events recorded.
        public let events: Int
        /// The number of dropped events, which came faster than they could be written.
        public let dropped: Int
    }

    /// Records into a file until `stopRecording()`; `coredata instruments FILE` reads it, also while it grows.
    ///
    /// A file that is there is replaced. With `includesValues` the values bound to statements are recorded too.
    /// - Throws: an error of `NSCocoaErrorDomain` where the file cannot be made, or something is being recorded already.
    public static func startRecording(to url: URL, includesValues: Bool = false) throws {
        let file = try FileTrace(at: url)
        guard InstrumentRecorder.start(file, options: InstrumentOptions(includesValues: includesValues)) else {
            throw CoreDataError.make(
                NSCoreDataError, "The process is being recorded already.",
                hint: "Call stopRecording(), or let go of the process in 'coredata instruments'.")
        }
    }

    /// Ends the recording and writes what was waiting; nil where nothing was recorded.
    @discardableResult public static func stopRecording() -> Summary? {
        InstrumentRecorder.stop().map { Summary(events: $0.events, dropped: $0.dropped) }
    }

    /// Whether something is being recorded.
    public static var isRecording: Bool { InstrumentRecorder.isRecording }

    /// Lets `coredata instruments` of the same user watch the process, by a socket in `$XDG_RUNTIME_DIR/opencoredata`.
    ///
    /// The folder and the socket are for their owner alone, and the user of each connecting process is checked. Nothing is
    /// recorded until a process connects. The second call does nothing.
    /// - Throws: an error of `NSCocoaErrorDomain` where `XDG_RUNTIME_DIR` is not set or the socket cannot be made.
    public static func offer() throws { try InstrumentSocket.offer() }
}
