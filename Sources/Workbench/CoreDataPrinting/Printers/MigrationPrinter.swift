import CoreDataMigrationPlanning
import CoreDataWorkbench

/// Prints what a migration would do, or has done.
package struct MigrationPrinter {
    let output: StandardOutput
    package let format: OutputFormat
    let width: Int?

    package init(output: StandardOutput, format: OutputFormat, width: Int?) {
        self.output = output
        self.format = format
        self.width = width
    }

    /// Prints the plan of a migration.
    package func print(_ report: MigrationPlanReport) {
        if format == .json { return output.line(JSONWriter.lines(report.json)) }
        printVersions(report.job)
        guard !report.path.isEmpty else {
            if report.refusal == nil { line("The store is of this version already.") }
            return
        }
        printPath(report)
        line("")
        printSteps(report)
        line("")
        fact("rows", "\(report.rows) to read or write")
        if let estimate = report.estimate { print(estimate, of: report.job) }
        printIdentity(report)
        printFindings(report)
    }

    /// Prints that a store needs no migration.
    package func printUpToDate(_ report: MigrationPlanReport) {
        if format == .json { return output.line(JSONWriter.lines(report.json)) }
        line("'\(report.job.facts.url.place)' is of the version '\(report.job.destination.name)' already")
    }

    /// Prints a completed migration.
    package func print(_ run: StoreMigrationRun) {
        if format == .json { return output.line(JSONWriter.lines(run.json)) }
        guard !run.wasFoundDone else { return printUpToDate(run.report) }
        printVersions(run.report.job)
        printPath(run.report)
        printIdentity(run.report)
        for loss in run.report.losses where loss.isOfData { print(loss) }
        if let backup = run.backup { fact("backup", backup.path) }
        if run.report.job.isOnServer { fact("backup", "none: backups of a server are made there, as by pg_dump") }
        line("migrated")
    }

    /// Prints the migration of a copy.
    package func print(_ run: MigrationDryRun) {
        if format == .json { return output.line(JSONWriter.lines(run.json)) }
        printVersions(run.report.job)
        for (stage, comparison) in run.comparisons {
            fact("path", "\(stage.from) -> \(stage.to)  \(stage.kind.rawValue)")
            line("")
            print(comparison)
            line("")
        }
        for loss in run.report.losses { print(loss) }
        fact("time", "\(Quantity.time(run.seconds)) for the copy")
        fact("valid", "\(run.validation.objects - run.validation.invalid) of \(Count.objects(run.validation.objects))")
        for (failure, count) in run.validation.summary.prefix(10) {
            let place = [failure.entity, failure.property].compactMap(\.self).joined(separator: ".")
            fact("broken", "\(place): \(Count.objects(count)) [\(failure.code)]")
        }
        fact("file", run.faults.isEmpty ? "sound" : run.faults[0])
        for problem in run.problems { fact("wrong", problem) }
        line(run.problems.isEmpty ? "nothing is wrong with the copy; the store is as it was" : "the store is as it was")
    }

    /// Prints a comparison: a row for each entity, followed by rows for its properties.
    private func print(_ comparison: MigrationComparison) {
        var table = TextTable(
            [
                .init(label: "WHAT"), .init(label: "BEFORE", isNumber: true), .init(label: "AFTER", isNumber: true),
                .init(label: "VALUES"),
            ], limit: width)
        for row in comparison.entities {
            table.add(
                [
                    PrintableText.escaped(Self.name(row.old, row.new)), row.before.map { "\($0)" } ?? "-",
                    row.after.map { "\($0)" } ?? "-",
                    row.agrees || !comparison.isExact ? "" : "DIFFER",
                ], to: output)
            for property in comparison.properties where property.entity == row.new {
                let isKept = property.old != nil && property.new != nil
                let outcome =
                    isKept
                    ? property.agrees ? "same" : comparison.isExact ? "DIFFER" : "others"
                    : property.new == nil ? "lost" : "new"
                table.add(
                    [
                        PrintableText.escaped("  " + Self.name(property.old, property.new)),
                        property.old == nil ? "-" : "\(property.before)",
                        property.new == nil ? "-" : "\(property.after)",
                        property.before == 0 && property.after == 0 ? "" : outcome,
                    ], to: output)
            }
        }
        table.finish(output)
    }

    /// The name, or the former and the present name if they differ.
    private static func name(_ old: String?, _ new: String?) -> String {
        old == new ? new ?? "" : "\(old ?? "(new)") -> \(new ?? "(dropped)")"
    }

    /// Prints as JSON why a migration is not possible.
    package func print(_ refusal: MigrationRefusal, of report: MigrationPlanReport) {
        output.line(JSONWriter.lines(report.refused(refusal)))
    }

    package func printStatements(_ report: MigrationPlanReport) {
        if format == .json { return output.list(report.statementList) }
        for (stage, statements) in zip(report.path, report.statementsByStage) {
            let way = stage.kind == .mapping ? ": made object by object" : ""
            if report.path.count > 1 || stage.kind == .mapping { line("-- \(stage.from) -> \(stage.to)\(way)") }
            for statement in statements {
                if let lock = statement.lock { line("-- \(lock.text)") }
                output.line(PrintableText.escaped(statement.statement, limit: .max) + ";")
            }
        }
    }

    // MARK: Parts

    private func printVersions(_ job: MigrationJob) {
        fact("store", job.facts.url.place)
        let origin =
            switch job.origin {
            case .store: "kept by the store"
            case .package: "by its hashes"
            case .given: "as given"
            }
        fact("from", "\(job.source.name)  (\(origin))")
        fact("to", job.destination.name)
    }

    private func printPath(_ report: MigrationPlanReport) {
        for stage in report.path { fact("path", "\(stage.from) -> \(stage.to)  \(stage.kind.rawValue)") }
    }

    private func printSteps(_ report: MigrationPlanReport) {
        if report.job.isOnServer { return printServerSteps(report) }
        var table = TextTable(
            [.init(label: "STEP"), .init(label: "SUBJECT"), .init(label: "ROWS", isNumber: true)], limit: width)
        for step in report.steps where step.kind != "bookkeeping" {
            table.add(
                [step.kind, PrintableText.escaped(step.subject), step.rows.map { "\($0)" } ?? ""], to: output)
        }
        table.finish(output)
    }

    /// Prints steps with the locks that each holds until the end; of the store's bookkeeping only steps with locks.
    private func printServerSteps(_ report: MigrationPlanReport) {
        var table = TextTable(
            [
                .init(label: "STEP"), .init(label: "SUBJECT"), .init(label: "ROWS", isNumber: true),
                .init(label: "TIME", isNumber: true), .init(label: "LOCKS"),
            ], limit: width)
        for step in report.steps where step.kind != "bookkeeping" || !step.locks.isEmpty {
            table.add(
                [
                    step.kind == "bookkeeping" ? "lock store" : step.kind, PrintableText.escaped(step.subject),
                    step.rows.map { "\($0)" } ?? "", step.seconds.map(Quantity.time) ?? "",
                    PrintableText.escaped(step.locks.map(\.text).joined(separator: ", "), limit: .max),
                ], to: output)
        }
        table.finish(output)
        line("All others wait for the store from its lock until the end, and are refused then: 134100.")
    }

    private func print(_ estimate: MigrationEstimate, of job: MigrationJob) {
        if let seconds = estimate.seconds { fact("time", "about \(Quantity.time(seconds))") }
        guard !job.isOnServer else {
            let room = estimate.bytes.map { "about \(Quantity.bytes($0))" } ?? "as much again as the store has"
            fact("room", "\(room), in the server; whether it has that is not known")
            return fact("backup", "none: backups of a server are made there, as by pg_dump")
        }
        fact(
            "room",
            "about \(Quantity.bytes(estimate.bytes ?? 0)), and \(Quantity.bytes(estimate.backupBytes)) for the backup")
    }

    private func printIdentity(_ report: MigrationPlanReport) {
        guard !report.keepsIdentity else { return }
        fact("mind", "the store gets another identity (NSStoreUUIDKey), and its objects other identifiers")
    }

    private func printFindings(_ report: MigrationPlanReport) {
        for loss in report.losses { print(loss) }
        for collision in report.collisions {
            fact("twice", "\(collision.entity) by \(collision.properties.joined(separator: ", "))")
        }
        for remark in report.remarks {
            fact("mind", "\(remark.item.kind.rawValue) \(remark.item.path): \(remark.reason)")
        }
    }

    private func print(_ loss: MigrationLoss) {
        let hint = loss.hint.map { " (\($0))" } ?? ""
        fact("lost", "\(loss.item.kind.rawValue) \(loss.item.path): \(loss.amount), as \(loss.reason)\(hint)")
    }

    private func fact(_ name: String, _ text: String) {
        let label = RunLanguage.text(name)
        let gap = String(repeating: " ", count: max(1, 8 - DisplayWidth.of(label)))
        output.line(label + gap + RunLanguage.text(PrintableText.escaped(text, limit: .max)))
    }

    private func line(_ text: String) { output.say(PrintableText.escaped(text, limit: .max)) }
}

extension SchemaMigrationPlan.Lock {
    /// `zhero: ACCESS EXCLUSIVE`, and whether its rows are rewritten.
    fileprivate var text: String { "\(table): \(mode)\(rewrites ? ", all rows written" : "")" }
}

/// Writes approximate amounts with their units.
package enum Quantity {
    static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<0.1: "0.1 s"
        case ..<10: "\((seconds * 10).rounded() / 10) s"
        case ..<120: "\(Int(seconds.rounded())) s"
        default: "\(Int((seconds / 60).rounded())) min"
        }
    }

    static func bytes(_ count: Int) -> String {
        switch count {
        case ..<10_000: "\((count + 999) / 1_000) kB"
        case ..<10_000_000: "\(count / 1_000) kB"
        case ..<10_000_000_000: "\(count / 1_000_000) MB"
        default: "\(count / 1_000_000_000) GB"
        }
    }
}
