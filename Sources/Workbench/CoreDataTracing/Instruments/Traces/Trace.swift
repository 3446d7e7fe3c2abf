import CoreData

/// A recording of one process, read into memory.
///
/// Invariants:
/// 1. `parents[n]` is -1 or the number of an event on the same thread that encloses the event `n` in time.
/// 2. `order` has the index of each event once, in the order in which the events began.
/// 3. Numbers of texts and stacks in `records` may be out of range: only `text(_:)` and `stack(_:)` resolve them.
package struct Trace: Sendable {
    /// An executable file or shared library that the process has loaded.
    package struct Image: Sendable, Equatable {
        package let path: String
        package let base: UInt64
        package let size: UInt64
        package let buildID: String?
    }

    /// The process that was recorded.
    package struct Subject: Sendable {
        package var number = 0
        package var name = ""
        package var started = Date(timeIntervalSince1970: 0)
        /// The time of the process's clock, in nanoseconds, when the recording began.
        package var clock: UInt64 = 0
        package var hasValues = false
        package var images: [Image] = []
    }

    package let path: String
    package let process: Subject
    package let records: [TraceRecord]
    package let parents: [Int32]
    package let order: [Int32]
    package let models: [TraceModel]
    /// The number of events that the process dropped because its buffer was full.
    package let dropped: Int
    /// The number of faults that fired with a cached row, without a query of the store.
    package let cachedFaults: Int
    /// Whether the trace has an end block; false if the recording is still running or was cut off.
    package let isComplete: Bool
    /// Descriptions of damage and gaps in the trace, as sentences.
    package let notes: [String]
    let texts: [String]
    let stacks: [[UInt64]]

    package func text(_ number: UInt32) -> String {
        number > 0 && number <= texts.count ? texts[Int(number) - 1] : ""
    }

    package func stack(_ number: UInt32) -> [UInt64] {
        number > 0 && number <= stacks.count ? stacks[Int(number) - 1] : []
    }

    package func model(of record: TraceRecord) -> TraceModel? {
        record.model > 0 && Int(record.model) <= models.count ? models[Int(record.model) - 1] : nil
    }

    package func kind(of record: TraceRecord) -> InstrumentEvent.Kind? { InstrumentEvent.Kind(rawValue: record.kind) }

    /// When the first event began, as nanoseconds of the process's clock.
    package var begin: UInt64 { order.first.map { records[Int($0)].start } ?? process.clock }

    /// When the last event ended, as nanoseconds of the process's clock.
    package var end: UInt64 { max(records.reduce(begin) { max($0, $1.end) }, begin) }

    /// The outermost event that encloses an event; the event itself if it is not nested in another event.
    package func root(of index: Int) -> Int {
        var place = index
        while parents[place] >= 0 { place = Int(parents[place]) }
        return place
    }

    /// The innermost event with a context, among the event itself and those that enclose it; else the outermost.
    package func owner(of index: Int) -> Int {
        var place = index
        while records[place].context == 0, parents[place] >= 0 { place = Int(parents[place]) }
        return place
    }
}
