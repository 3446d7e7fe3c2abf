import CSwiftRuntime
import CoreDataModeling
import Synchronization

/// The optional parts of events.
package struct InstrumentOptions: Sendable, Equatable {
    /// Whether the values that are bound to statements are recorded.
    package var includesValues = false
    /// Whether the query plans of statements are recorded.
    package var includesPlans = true

    package init(includesValues: Bool = false, includesPlans: Bool = true) {
        self.includesValues = includesValues
        self.includesPlans = includesPlans
    }
}

/// The destination of a recording; called by one thread at a time.
package protocol TraceSink: AnyObject, Sendable {
    /// Writes bytes; returns false if they cannot be written, which ends the recording.
    func write(_ bytes: [UInt8]) -> Bool
    /// Called after the last `write(_:)`.
    func close()
}

/// Receives the events of the entire process: passes them to the handlers of metrics and spans, and writes them to the
/// sink of the running recording on a separate thread.
///
/// Invariants:
/// 1. `COREDATA_RECORDING` is set in `coredata_instruments_on` exactly while `State.recording` is not nil.
/// 2. At most `mostWaiting` events wait to be written; further events are dropped and counted.
/// 3. Followers are called with each change of the options, in the order of the changes.
package enum InstrumentRecorder {
    /// The greatest number of waiting events: those of some seconds of a busy program, which take six megabytes.
    package static let mostWaiting = 65_536
    private static let pause = 0.05

    /// The numbers of events that a recording wrote and dropped.
    package struct Summary: Sendable, Equatable {
        package var events = 0
        package var dropped = 0
    }

    fileprivate struct Recording {
        let sink: any TraceSink
        let options: InstrumentOptions
        var tables = TraceTables()
        var waiting: [TraceRecord] = []
        var dropped = 0
        var summary = Summary()
    }

    private struct State {
        var recording: Recording?
        var lastContext: UInt32 = 0
        var followers: [@Sendable (InstrumentOptions?) -> Void] = []

        /// The options with which statements are to be reported; nil while neither a recording nor a handler needs
        /// them.
        var options: InstrumentOptions? {
            if let recording { return recording.options }
            let isHandled = coredata_instruments_wanted(COREDATA_METRICS | COREDATA_SPANS) != 0
            return isHandled ? InstrumentOptions(includesPlans: false) : nil
        }
    }

    private static let state = Mutex(State())
    /// Locked while blocks are written, so that they are written in order; locked before `state`.
    private static let writing = Mutex(())
    /// Locked while a recording or a handler is added or removed; locked before `writing` and `state`.
    private static let turning = Mutex(())

    /// Registers a function, and calls it with the event options after each change, and with nil once no recording or
    /// handler needs events.
    package static func addFollower(_ follower: @escaping @Sendable (InstrumentOptions?) -> Void) {
        turning.withLock { _ in
            let options = state.withLock { state in
                state.followers.append(follower)
                return state.options
            }
            if let options { follower(options) }
        }
    }

    /// Begins a recording; returns false if one is already running, or if the sink refuses the first bytes.
    package static func start(_ sink: any TraceSink, options: InstrumentOptions = InstrumentOptions()) -> Bool {
        turning.withLock { _ in
            guard state.withLock({ $0.recording == nil }) else { return false }
            let head = TraceFormat.header + TraceFormat.block(.process, ProcessNote.json(options: options))
            guard sink.write(head) else { return false }
            _ = coredata_take_cached_faults()
            state.withLock { state in
                state.recording = Recording(sink: sink, options: options)
                state.recording?.waiting.reserveCapacity(1_024)
                coredata_set_instruments(COREDATA_RECORDING, 1)
            }
            callFollowers()
            Thread.detachNewThread { while flush(sink) { Thread.sleep(forTimeInterval: pause) } }
            return true
        }
    }

    /// Ends the recording into a sink, or the running one if `sink` is nil; returns nil if there is no such recording.
    @discardableResult package static func stop(_ sink: (any TraceSink)? = nil) -> Summary? {
        turning.withLock { _ in
            let isRecording = state.withLock { state in
                guard let recording = state.recording, sink == nil || recording.sink === sink else { return false }
                coredata_set_instruments(COREDATA_RECORDING, 0)
                return true
            }
            guard isRecording else { return nil }
            defer { callFollowers() }
            return writing.withLock { _ in
                let last: (batch: TraceBatch, recording: Recording)? = state.withLock { state in
                    guard let batch = state.recording?.takeBatch(), let recording = state.recording else { return nil }
                    state.recording = nil
                    return (batch, recording)
                }
                guard let last else { return nil }
                if last.recording.sink.write(last.batch.bytes) {
                    _ = last.recording.sink.write(TraceFormat.block(.end, []))
                }
                last.recording.sink.close()
                return last.recording.summary
            }
        }
    }

    /// Sets or clears the bit of a kind of handler in `coredata_instruments_on` when the program sets or removes the
    /// handler.
    static func setWanted(_ bit: Int32, _ isWanted: Bool) {
        turning.withLock { _ in
            coredata_set_instruments(bit, isWanted ? 1 : 0)
            callFollowers()
        }
    }

    /// Called while `turning` is locked.
    private static func callFollowers() {
        let (followers, options) = state.withLock { ($0.followers, $0.options) }
        for follower in followers { follower(options) }
    }

    /// Whether events need texts that take time to make, such as the predicate without its values.
    package static var wantsTexts: Bool { coredata_instruments_wanted(COREDATA_RECORDING | COREDATA_SPANS) != 0 }

    /// Records an event that ended at `end` (by the monotonic clock), which is now by default.
    package static func record(_ event: InstrumentEvent, end: UInt64 = coredata_monotonic_time()) {
        let wanted = coredata_instruments_wanted(COREDATA_RECORDING | COREDATA_METRICS | COREDATA_SPANS)
        if wanted & COREDATA_METRICS != 0 { MetricsReporting.report(event, end: end) }
        if wanted & COREDATA_SPANS != 0 { SpanReporting.report(event, end: end) }
        guard wanted & COREDATA_RECORDING != 0 else { return }
        state.withLock { state in
            guard state.recording != nil else { return }
            guard (state.recording?.waiting.count ?? 0) < mostWaiting,
                (state.recording?.tables.waitingSize ?? 0) < TraceFormat.greatestBlock / 2
            else {
                state.recording?.dropped += 1
                return
            }
            state.recording?.add(event, end: end)
        }
    }

    package static var isRecording: Bool { state.withLock { $0.recording != nil } }

    /// A new number for a context, which no other context of the process has.
    package static func numberForContext() -> UInt32 {
        state.withLock { state in
            state.lastContext &+= 1
            return state.lastContext
        }
    }

    /// Writes the waiting events; returns false once the recording into the sink has ended.
    private static func flush(_ sink: any TraceSink) -> Bool {
        let isTaken: Bool? = writing.withLock { _ in
            let batch = state.withLock { state in
                state.recording?.sink === sink ? state.recording?.takeBatch() : nil
            }
            return batch.map { sink.write($0.bytes) }
        }
        guard let isTaken else { return false }
        if !isTaken { stop(sink) }
        return isTaken
    }
}

/// The part of a recording that has not been written yet.
private struct TraceBatch {
    let tables: [UInt8]
    let models: [NSManagedObjectModel]
    let events: [TraceRecord]
    let dropped: Int

    var bytes: [UInt8] {
        var bytes = tables
        for model in models { bytes += TraceFormat.block(.model, ModelNote.json(model)) }
        if !events.isEmpty {
            bytes += TraceFormat.block(.events, TraceRecord.bytes(of: events))
        }
        var counters: [UInt8] = []
        counters.append(number: UInt64(dropped))
        counters.append(number: coredata_take_cached_faults())
        counters.append(number: coredata_monotonic_time())
        return bytes + TraceFormat.block(.counters, counters)
    }
}

extension InstrumentRecorder.Recording {
    fileprivate mutating func takeBatch() -> TraceBatch {
        let (bytes, models) = tables.takeBlocks()
        let batch = TraceBatch(tables: bytes, models: models, events: waiting, dropped: dropped)
        summary.events += waiting.count
        summary.dropped += dropped
        waiting = []
        // Growing the array step by step would copy the events, while threads that record events wait for the lock.
        waiting.reserveCapacity(batch.events.count)
        dropped = 0
        return batch
    }

    fileprivate mutating func add(_ event: InstrumentEvent, end: UInt64) {
        var record = TraceRecord()
        record.kind = event.kind.rawValue
        record.flags = event.flags.rawValue
        record.model = tables.number(of: event.model)
        record.thread = coredata_thread_number()
        record.start = event.start
        record.duration = end > event.start ? end - event.start : 0
        record.queue = tables.number(of: event.queue)
        record.context = event.context
        record.contextName = tables.number(of: event.contextName)
        record.store = tables.number(of: event.store)
        record.entity = tables.number(of: event.entity)
        record.detail = tables.number(of: event.detail)
        record.shape = tables.number(of: event.shape)
        record.values = tables.number(of: event.values)
        record.rows = UInt32(clamping: event.rows)
        record.registered = UInt32(clamping: event.registered)
        record.scanned = UInt32(clamping: event.scanned)
        record.inserted = UInt32(clamping: event.inserted)
        record.updated = UInt32(clamping: event.updated)
        record.deleted = UInt32(clamping: event.deleted)
        record.unchanged = UInt32(clamping: event.unchanged)
        record.stack = tables.numberOfStack()
        waiting.append(record)
    }
}
