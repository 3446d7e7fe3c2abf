import CoreDataTracing
import CoreDataWorkbench

/// Prints the reports of `instruments`.
package struct InstrumentsPrinter {
    let output: StandardOutput

    package init(output: StandardOutput) {
        self.output = output
    }

    private static let mostLines = 15

    package func print(_ processes: [InstrumentedProcess], _ format: OutputFormat) {
        guard format == .table else {
            return output.list(
                processes.map { .object([("pid", .integer(Int64($0.number))), ("name", .string($0.name))]) })
        }
        guard !processes.isEmpty else {
            return output.say("No running process can be recorded. Start a program with OPENCOREDATA_INSTRUMENTS=1.")
        }
        var text = TextTable([.init(title: "pid", isNumber: true), .init(title: "name")], limit: Terminal.width)
        for process in processes { text.add(["\(process.number)", process.name], to: output) }
        text.finish(output)
    }

    package func print(_ report: TraceReport, comparison: TraceComparison?, events: [Int32]?, format: OutputFormat) {
        guard format == .table else {
            return output.line(JSONWriter.lines(json(report, comparison: comparison, events: events)))
        }
        if let events { return printEvents(report, events) }
        printHeader(report)
        printKinds(report)
        printFindings(report)
        printStatements(report)
        printCallTree(report.callTree)
        if let comparison { print(comparison) }
    }

    private func json(_ report: TraceReport, comparison: TraceComparison?, events: [Int32]?) -> JSONValue {
        guard case .members(var members) = report.json else { return report.json }
        if let comparison { members.append(.init(key: "comparison", value: TraceJSON.comparison(comparison))) }
        if let events {
            let json = TraceJSON(report.trace)
            members.append(
                .init(key: "events", value: .array(events.map { json.event(Int($0), report.symbols) })))
        }
        return .members(members)
    }

    private func printHeader(_ report: TraceReport) {
        let trace = report.trace
        output.line(
            "\(PrintableText.escaped(trace.process.name)) (\(trace.process.number)): \(report.selection.count) of "
                + "\(trace.records.count) events in \(Self.time(trace.end - trace.begin)), \(trace.dropped) dropped; "
                + "\(trace.cachedFaults) faults found their rows without a store")
    }

    private func printKinds(_ report: TraceReport) {
        output.line("")
        var text = table(["kind"], ["count", "time", "longest", "rows", "scanned"])
        for kind in InstrumentEvent.Kind.allCases {
            guard let sum = report.totals.kinds[kind] else { continue }
            text.add(
                [
                    kind.name, "\(sum.count)", Self.time(sum.time), Self.time(sum.longest), "\(sum.rows)",
                    "\(sum.scanned)",
                ], to: output)
        }
        text.finish(output)
    }

    private func printFindings(_ report: TraceReport) {
        output.line("")
        guard !report.findings.isEmpty else { return output.say("Nothing was found that costs more than it must.") }
        for finding in report.findings {
            output.say("\(finding.kind.rawValue): " + PrintableText.escaped(finding.text))
            if let site = report.symbols.site(of: report.trace.stack(finding.stack)) {
                output.line("    at " + PrintableText.escaped(site))
            }
            output.line("    " + RunLanguage.text(PrintableText.escaped(finding.cure)))
            for line in (finding.code ?? "").split(separator: "\n") {
                output.line("        " + PrintableText.escaped(String(line)))
            }
        }
    }

    private func printStatements(_ report: TraceReport) {
        let statements = report.totals.slowestStatements(of: report.trace, Self.mostLines)
        guard !statements.isEmpty else { return }
        output.line("")
        var text = table([], ["count", "time", "rows", "scanned"], last: "sql")
        for (sql, sum) in statements {
            text.add(
                [
                    "\(sum.count)", Self.time(sum.time), "\(sum.rows)", "\(sum.scanned)",
                    PrintableText.escaped(sql, limit: 300),
                ], to: output)
        }
        text.finish(output)
    }

    private func printCallTree(_ tree: CallTree) {
        guard tree.nodes[0].time > 0 else { return }
        output.line("")
        var lines = 0
        func print(_ number: Int, _ depth: Int) {
            let node = tree.nodes[number]
            guard lines < 40, node.time >= tree.nodes[0].time / 100 else { return }
            lines += 1
            let share = node.time * 100 / tree.nodes[0].time
            output.line(
                "\(share)% \(Self.time(node.time)) \(node.count)× "
                    + String(repeating: " ", count: min(depth, 30)) + PrintableText.escaped(node.name, limit: 160))
            for child in node.children { print(child, depth + 1) }
        }
        print(0, 0)
    }

    private func printEvents(_ report: TraceReport, _ events: [Int32]) {
        var text = table(["start", "kind", "entity"], ["time", "rows"], last: "what")
        for index in events {
            let record = report.trace.records[Int(index)]
            text.add(
                [
                    Self.time(record.start &- min(report.trace.begin, record.start)),
                    report.trace.kind(of: record)?.name ?? "", PrintableText.escaped(report.trace.text(record.entity)),
                    Self.time(record.duration), "\(record.rows)",
                    PrintableText.escaped(report.trace.text(record.detail), limit: 200),
                ], to: output)
        }
        text.finish(output)
    }

    private func print(_ comparison: TraceComparison) {
        output.line("")
        var text = table([], ["count", "was", "time", "was", "more"], last: "what")
        for line in comparison.kinds + comparison.statements {
            let sign = line.difference < 0 ? "-" : "+"
            text.add(
                [
                    "\(line.latter.count)", "\(line.former.count)", Self.time(line.latter.time),
                    Self.time(line.former.time), sign + Self.time(line.difference.magnitude),
                    PrintableText.escaped(line.name, limit: 200),
                ], to: output)
        }
        text.finish(output)
    }

    private func table(_ texts: [String], _ numbers: [String], last: String? = nil) -> TextTable {
        TextTable(
            texts.map { .init(title: $0) } + numbers.map { .init(title: $0, isNumber: true) }
                + (last.map { [.init(title: $0)] } ?? []), limit: Terminal.width)
    }

    /// A duration with up to three digits and its unit.
    static func time(_ nanoseconds: UInt64) -> String {
        switch nanoseconds {
        case ..<1_000: "\(nanoseconds) ns"
        case ..<1_000_000: decimal(nanoseconds, 1_000) + " µs"
        case ..<1_000_000_000: decimal(nanoseconds, 1_000_000) + " ms"
        default: decimal(nanoseconds, 1_000_000_000) + " s"
        }
    }

    private static func decimal(_ number: UInt64, _ unit: UInt64) -> String {
        let whole = number / unit
        return whole >= 100 ? "\(whole)" : "\(whole).\(number % unit * 10 / unit)"
    }
}
