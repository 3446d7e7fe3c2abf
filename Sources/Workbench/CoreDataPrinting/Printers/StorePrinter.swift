import CoreDataWorkbench

/// Prints the report on a store.
package struct StorePrinter {
    let output: StandardOutput
    let width: Int?

    package init(output: StandardOutput, width: Int?) {
        self.output = output
        self.width = width
    }

    package func print(_ report: StoreReport, indexes: [StoreIndex]) {
        let facts = facts(of: report).map { (RunLanguage.text($0), RunLanguage.text($1)) }
        let room = facts.reduce(10) { max($0, DisplayWidth.of($1.0)) }
        for (name, text) in facts {
            line(name + String(repeating: " ", count: room - DisplayWidth.of(name) + 1) + text)
        }
        printMetadata(report.facts.metadata)
        line("")
        printEntities(report.entities)
        if let tables = report.tables {
            line("")
            print(tables)
        }
        if !indexes.isEmpty {
            line("")
            print(indexes)
        }
        for problem in report.problems { line("\n" + RunLanguage.text("problem: \(problem)")) }
    }

    private func facts(of report: StoreReport) -> [(String, String)] {
        let facts = report.facts
        var lines = [
            ("path", facts.url.isFileURL ? facts.url.relativePath : facts.url.place), ("type", facts.type.rawValue),
            ("uuid", facts.uuid ?? "none"),
        ]
        lines.append(("framework", facts.frameworkVersion.map(String.init) ?? "unknown"))
        lines.append(("size", "\(facts.size) bytes" + (facts.walSize.map { ", and \($0) in the -wal" } ?? "")))
        lines.append(("history", history(of: report)))
        guard let model = report.model else {
            let reason =
                facts.flaw == nil ? "none; hashes are those of the metadata" : "not matched: the metadata has no hashes"
            return lines + [("model", reason)]
        }
        lines.append(("model", text(of: model)))
        if model.fits.count > 1 { lines.append(("versions", versions(of: model))) }
        if !model.unreadable.isEmpty { lines.append(("unreadable", unreadable(in: model))) }
        lines.append(("checksum", model.model.versionChecksum))
        let identifiers = model.model.versionIdentifiers.map { "\($0.base)" }.filter { !$0.isEmpty }.sorted()
        if !identifiers.isEmpty { lines.append(("version", identifiers.joined(separator: ", "))) }
        return lines
    }

    private func history(of report: StoreReport) -> String {
        guard let isOn = report.hasHistory else { return "unknown" }
        guard isOn else { return "off" }
        guard let span = report.historySpan, let first = span.first, let last = span.last else { return "on" }
        let ends = [first, last].map { "\($0.number) (\($0.timestamp ?? "no time"))" }
        return "on, \(Count.transactions(span.count)): \(ends[0])" + (span.count > 1 ? " to \(ends[1])" : "")
    }

    /// The versions that match, and the nearest one of the others.
    private func versions(of model: StoreModel) -> String {
        let matching = model.fits.filter(\.matches).map { "'\($0.version.name)'" }
        let others = model.fits.filter { !$0.matches }.sorted { $0.differences.count < $1.differences.count }
        let count = "\(matching.isEmpty ? "none" : "\(matching.count)") of \(model.fits.count) matches"
        let names = matching.isEmpty ? "" : ": " + matching.joined(separator: ", ")
        let nearest = others.first.map { "; the nearest other, '\($0.version.name)', differs in \($0.differenceText)" }
        return count + names + (nearest ?? "")
    }

    private func unreadable(in model: StoreModel) -> String {
        let reasons = model.unreadable.map(\.reason)
        let isOne = Set(reasons).count == 1
        return model.unreadableNames + ": \(reasons[0])" + (isOne ? "" : "; 'model versions' lists each")
    }

    private func text(of model: StoreModel) -> String {
        let configuration = model.configuration.map { ", configuration '\($0)'" } ?? ""
        switch (model.source, model.versionName) {
        case (.cached, _): return "cached in the store"
        case (.given, let name?):
            return "given, version '\(name)'\(configuration)" + (model.mismatch == nil ? "" : ", does not match")
        case (.given, nil): return "given\(configuration)"
        }
    }

    private func printMetadata(_ metadata: [String: Any]) {
        let hidden: Set = [
            NSStoreModelVersionHashesKey, NSStoreUUIDKey, NSStoreTypeKey, "NSPersistenceFrameworkVersion",
        ]
        let shown = metadata.filter { !hidden.contains($0.key) }.sorted { $0.key < $1.key }
        guard !shown.isEmpty else { return }
        line(RunLanguage.text("metadata"))
        for (key, value) in shown { line("  \(key) = \(ValueCoding.text(value, .undefined) ?? "nil")") }
    }

    private func printEntities(_ entities: [StoreReport.Entity]) {
        var table = TextTable(
            [
                .init(label: "ENTITY"), .init(label: "COUNT", isNumber: true), .init(label: "WITH SUB", isNumber: true),
                .init(label: "MATCHES"), .init(label: "HASH"),
            ], limit: width)
        for entity in entities {
            let name =
                String(repeating: "  ", count: entity.depth) + entity.name
                + (entity.isAbstract == true ? " (\(RunLanguage.text("abstract")))" : "")
            let matches = entity.hashMatches.map { RunLanguage.text($0 ? "yes" : "NO") } ?? ""
            table.add(
                [
                    PrintableText.escaped(name), entity.count.map(RunLanguage.number) ?? "",
                    entity.countWithSubentities.map(RunLanguage.number) ?? "", matches,
                    entity.hash?.base64EncodedString() ?? "",
                ], to: output)
        }
        table.finish(output)
    }

    private func print(_ tables: [StoreTable]) {
        var table = TextTable([.init(label: "TABLE"), .init(label: "ROWS", isNumber: true)], limit: width)
        for row in tables {
            table.add(
                [PrintableText.escaped(row.name), row.rows.map(RunLanguage.number) ?? RunLanguage.text("unreadable")],
                to: output)
        }
        table.finish(output)
    }

    private func print(_ indexes: [StoreIndex]) {
        var table = TextTable([.init(label: "INDEX"), .init(label: "TABLE"), .init(label: "COLUMNS")], limit: width)
        for index in indexes {
            let columns = index.columns.joined(separator: ", ") + (index.isUnique ? " (unique)" : "")
            table.add([index.name, index.table, columns].map { PrintableText.escaped($0) }, to: output)
        }
        table.finish(output)
    }

    private func line(_ text: String) {
        for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let printable = PrintableText.escaped(String(part))
            output.line(width.map { DisplayWidth.truncated(printable, to: $0) } ?? printable)
        }
    }
}
