import CoreData

/// The analysis of the events that a filter selects in a trace: `coredata instruments FILE` prints it, and the page
/// shows it.
package struct TraceReport {
    package let trace: Trace
    package let selection: [Int32]
    package let totals: TraceTotals
    package let findings: [TraceFinding]
    package let symbols: TraceSymbols

    /// Works everything out; names of functions are looked up for what is shown alone, unless `symbols` are given.
    package init(_ trace: Trace, filter: TraceFilter = TraceFilter(), symbols: TraceSymbols? = nil) {
        self.trace = trace
        selection = filter.selection(in: trace)
        totals = TraceTotals(trace, selection)
        findings = TraceFinding.all(in: trace, selection)
        self.symbols = symbols ?? TraceSymbols(trace)
    }

    package var callTree: CallTree { CallTree(trace, selection: selection, symbols: symbols) }

    /// The complete report as one JSON object.
    package var json: JSONValue {
        let json = TraceJSON(trace)
        return .object([
            ("trace", json.header), ("selected", .count(selection.count)), ("totals", json.totals(totals)),
            ("findings", json.findings(findings, symbols)), ("callTree", json.callTree(callTree)),
        ])
    }
}
