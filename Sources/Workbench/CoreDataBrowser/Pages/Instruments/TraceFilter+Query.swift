import CoreData

extension PageCall {
    /// The filter in the query: `context`, `queue`, `entity`, `kind`, and `from` and `to` in nanoseconds.
    ///
    /// - Throws: `BrowserFailure` 400.
    func traceFilter() throws -> TraceFilter {
        var filter = TraceFilter()
        filter.context = text("context")
        filter.queue = text("queue")
        filter.entity = text("entity")
        if let kind = text("kind") {
            filter.kind = InstrumentEvent.Kind.allCases.first { $0.name == kind }
            guard filter.kind != nil else {
                throw BrowserFailure.badRequest(
                    "'kind' must be one of \(InstrumentEvent.Kind.allCases.map(\.name).joined(separator: ", "))")
            }
        }
        filter.from = try nanoseconds("from")
        filter.to = try nanoseconds("to")
        return filter
    }

    func nanoseconds(_ name: String) throws -> UInt64? {
        guard text(name) != nil else { return nil }
        return UInt64(try number(name, default: 0, in: 0...Int.max))
    }

    private func text(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
}
