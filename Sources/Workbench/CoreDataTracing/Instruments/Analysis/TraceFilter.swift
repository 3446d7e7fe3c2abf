import CoreData

/// Selects events of a trace. A property that is nil excludes no events.
package struct TraceFilter: Sendable, Hashable {
    /// The name or the number of a context.
    package var context: String?
    package var queue: String?
    package var entity: String?
    package var kind: InstrumentEvent.Kind?
    /// Nanoseconds since the first event.
    package var from: UInt64?
    package var to: UInt64?

    package init() {}

    /// The indices of the events that pass, by start. `Trace.owner(of:)` gives the event whose names are compared.
    package func selection(in trace: Trace) -> [Int32] {
        let begin = trace.begin
        let start = from.map { begin &+ min($0, .max - begin) } ?? 0
        let end = to.map { begin &+ min($0, .max - begin) } ?? .max
        let numbers = Numbers(self, trace)
        return trace.order.filter { index in
            let record = trace.records[Int(index)]
            guard record.start < end, record.end >= start else { return false }
            if let kind, record.kind != kind.rawValue { return false }
            return numbers.admits(Int(index), trace)
        }
    }

    /// The numbers that the trace gives to the filter's texts, so that testing an event compares numbers, not texts.
    private struct Numbers {
        let contexts: Set<UInt32>?
        let contextNumber: UInt32?
        let queues: Set<UInt32>?
        let entities: Set<UInt32>?

        init(_ filter: TraceFilter, _ trace: Trace) {
            func numbers(_ wanted: String?) -> Set<UInt32>? {
                wanted.map { wanted in
                    Set(trace.texts.indices.filter { trace.texts[$0] == wanted }.map { UInt32($0 + 1) })
                }
            }
            contexts = numbers(filter.context)
            contextNumber = filter.context.flatMap { UInt32($0) }
            queues = numbers(filter.queue)
            entities = numbers(filter.entity)
        }

        func admits(_ index: Int, _ trace: Trace) -> Bool {
            guard contexts != nil || queues != nil || entities != nil else { return true }
            let owner = trace.records[trace.owner(of: index)]
            if let contexts, !contexts.contains(owner.contextName), owner.context == 0 || owner.context != contextNumber
            {
                return false
            }
            if let queues, !queues.contains(owner.queue) { return false }
            if let entities, !entities.contains(owner.entity) { return false }
            return true
        }
    }
}
