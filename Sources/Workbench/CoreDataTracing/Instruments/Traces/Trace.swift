import CoreData

/// What was recorded of one process, read into memory.
///
/// Invariants:
/// 1. `parents[n]` is -1 or the number of an event on the same thread that encloses the event `n` in time.
/// 2. `order` has the number of each event once, by when they began.
/// 3. Numbers of texts and stacks in `records` may lead nowhere: they are asked of `text(_:)` and `stack(_:)` alone.
package struct Trace: Sendable {
    /// A file of machine code in the process.
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
        /// The process's clock when the recording began.
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
    /// Events for which the process had no room.
    package let dropped: Int
    /// Faults that found their rows without asking a store.
    package let cachedFaults: Int
    /// Whether the recording came to its end; false for one that is running, or was cut off.
    package let isComplete: Bool
    /// What is not as it should be, as sentences.
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

    /// When the last event was over.
    package var end: UInt64 { max(records.reduce(begin) { max($0, $1.end) }, begin) }

    /// The event that an event is part of in the end: itself, where it is part of none.
    package func root(of index: Int) -> Int {
        var place = index
        while parents[place] >= 0 { place = Int(parents[place]) }
        return place
    }

    /// The nearest event around an event, itself among them, that a context stands for.
    package func owner(of index: Int) -> Int {
        var place = index
        while records[place].context == 0, parents[place] >= 0 { place = Int(parents[place]) }
        return place
    }
}
