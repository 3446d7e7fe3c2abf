import Synchronization

/// A trace as a file had it, with what was found out about it. May be used from any thread.
final class TraceContents: Sendable {
    let trace: Trace

    private struct Known {
        var symbols: TraceSymbols?
        /// The numbers of the events that match recently used filters: a view that scrolls asks for the same ones
        /// repeatedly.
        var selections: [(filter: TraceFilter, numbers: [Int32])] = []
    }

    private static let mostSelections = 4

    private let known = Mutex(Known())

    init(_ trace: Trace) { self.trace = trace }

    /// The names of functions in the trace, looked up once.
    var symbols: TraceSymbols {
        known.withLock { known in
            if let symbols = known.symbols { return symbols }
            let symbols = TraceSymbols(trace)
            known.symbols = symbols
            return symbols
        }
    }

    /// The numbers of the events that match a filter.
    func selection(_ filter: TraceFilter) -> [Int32] {
        known.withLock { known in
            if let found = known.selections.first(where: { $0.filter == filter }) { return found.numbers }
            let numbers = filter.selection(in: trace)
            if known.selections.count >= Self.mostSelections { known.selections.removeFirst() }
            known.selections.append((filter, numbers))
            return numbers
        }
    }
}
