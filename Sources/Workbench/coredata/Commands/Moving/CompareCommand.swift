import CoreDataExchange
import CoreDataJobs
import CoreDataPrinting
import CoreDataWorkbench

/// `compare`: prints the differences of two stores, and can remove them.
struct CompareCommand: Command {
    let syntax = CommandSyntax(
        name: ["compare"],
        summary: "Prints which objects only one of two stores has, and which are not the same in both.",
        operands: [
            CommandOperand(name: "A", help: "The path of a store."),
            CommandOperand(name: "B", help: "The path of another store."),
        ],
        options: [
            Option(
                "by", value: "id|constraint|KEY,…",
                help:
                    "By what an object is the same one in both: its key in the store, or of a copy that in the store that was copied, a "
                    + "uniqueness constraint, or attributes. "
                    + "Without it by the constraint of its entity, or its key where there is none."),
            Option(
                "entity", value: "NAME", help: "Compare the objects of this entity only; may be given several times.",
                isRepeated: true),
            Option("values", help: "Print the values too."),
            Option(
                "apply",
                help:
                    "Make B as A, by the rules of the model: insert what only A has, change what differs, delete what only B "
                    + "has, all together."),
            Option(
                "copy", value: "OBJECT,…",
                help:
                    "Do so for these objects only, and leave all else in B as it is: addresses in A, as Hero/p7, or for one "
                    + "that only B has b:Hero/p7."),
            .dryRun, .model,
            Option("other-model", value: "PATH", help: "The model of B, where it is neither kept in B nor that of A."),
            .progress, .noProgress, .format([.table, .json]),
        ],
        details: [
            "A line begins with 'a' for an object that only A has, 'b' for one that only B has, '~' for one that differs, "
                + "with the names of its properties. Relationships are the same if they lead to the same objects.",
            "The models may be versions of each other: what both have is compared, and a line on standard error says what "
                + "is not. Derived and transient properties are not compared.",
            "json is an object a line: {\"kind\", \"a\", \"b\", \"properties\"}, where the kind is onlyInA, onlyInB or changed, "
                + "and at the end {\"kind\": \"summary\", …}.",
            "Exit codes: 0 the stores are equal, 1 they differ, or did before --apply or --copy, 2 refused or failed.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let summary: ComparisonSummary
        do {
            summary = try compare(arguments, output)
        } catch let error as InspectionError {
            throw ExitStatus(code: 2, cause: error)
        }
        if arguments.format == .json {
            output.line(JSONWriter.line(summary.json))
        } else {
            output.say(
                "\(summary.equal) equal, \(summary.changed) changed, \(summary.onlyInA) only in A, "
                    + "\(summary.onlyInB) only in B")
        }
        if !summary.notCompared.isEmpty {
            let names = PrintableText.escaped(summary.notCompared.joined(separator: ", "), limit: 2000)
            StandardError.write("\(Release.name): not compared: \(names)")
        }
        if !summary.isEqual { throw ExitStatus(code: 1) }
    }

    private func compare(_ arguments: Arguments, _ output: StandardOutput) throws -> ComparisonSummary {
        let isApplied = arguments.has("apply") || arguments.has("copy")
        guard isApplied || !arguments.has("dry-run") else {
            throw arguments.error("--dry-run goes with --apply or --copy")
        }
        let rule: ComparisonRule = try arguments["by"].map { .match(try MatchRule($0)) } ?? .usual
        let (left, right) = try stores(arguments, isApplied ? .importing : .exporting)
        for store in [left, right] { store.reportProblems() }
        let hasValues = arguments.has("values")
        let report = { (difference: StoreDifference) in
            output.line(
                arguments.format == .json
                    ? JSONWriter.line(difference.json(hasValues: hasValues))
                    : Self.text(difference, hasValues: hasValues))
            try output.check()
        }
        let comparison = try StoreComparison(left, right, by: rule, entities: arguments.all("entity"))
        guard isApplied else {
            return try arguments.progress("comparing").showing { line in
                try comparison.run(
                    report: { difference in
                        line.clear()
                        try report(difference)
                    }, progress: { line.update(Int64($0)) })
            }
        }
        return try apply(
            StoreAlignment(left, right: right, comparison: comparison, mode: arguments.mode),
            copied: arguments["copy"].map { ObjectQuery.list($0) },
            report: report)
    }

    /// Opens both stores. A store without a model uses the other one's model if the version hashes match.
    private func stores(_ arguments: Arguments, _ use: StoreUse) throws -> (OpenStore, OpenStore) {
        let paths = [arguments.model, arguments["other-model"].map { URL(fileURLWithPath: $0) } ?? arguments.model]
        let facts = try [0, 1].map { try StoreFacts(at: arguments.path($0)) }
        let models = zip(paths, facts).map { path, facts in Result { try OpenStore.model(at: path, for: facts) } }
        func model(_ number: Int) throws -> StoreModel {
            do {
                return try models[number].get()
            } catch let error as InspectionError where error.code == .noModel {
                guard let lent = try? models[1 - number].get().lent(to: facts[number]) else { throw error }
                return lent
            }
        }
        return (
            try OpenStore(facts[0], model: model(0), for: .exporting),
            try OpenStore(facts[1], model: model(1), for: use)
        )
    }

    private func apply(
        _ alignment: StoreAlignment, copied: [String]?, report: (StoreDifference) throws -> Void
    ) throws -> ComparisonSummary {
        var missing = Set(copied ?? [])
        let done = try alignment.run(
            report: report,
            chosen: { difference in
                guard copied != nil else { return true }
                return missing.remove(difference.left ?? "b:\(difference.right ?? "")") != nil
            },
            compared: { _ in
                guard let name = missing.min() else { return }
                throw InspectionError(
                    .noObject, subject: PrintableText.escaped(name, limit: 80),
                    cause: "the stores have no difference of this object",
                    hint: "'compare' without --copy lists them")
            },
            refused: { record in
                let text = [record.object, record.reason].compactMap(\.self).joined(separator: ": ")
                StandardError.write("\(Release.name): \(PrintableText.escaped(text, limit: 500))")
            })
        let total = done.report.total
        guard done.report.refused == 0 else {
            throw InspectionError(
                .badValue, subject: "B",
                cause: "\(done.report.refused) objects are refused by the model, so nothing was changed")
        }
        let verb = done.report.isSaved || done.summary.isEqual ? "" : "would be "
        StandardError.write(
            "\(Release.name): \(verb)\(total.inserted) inserted, \(total.updated) updated, \(done.deleted) deleted in B"
        )
        return done.summary
    }

    private static func text(_ difference: StoreDifference, hasValues: Bool) -> String {
        let sign = ["onlyInA": "a", "onlyInB": "b"][difference.kind.rawValue] ?? "~"
        var addresses = [difference.left, difference.right].compactMap(\.self)
        if addresses.count == 2, addresses[0] == addresses[1] { addresses.removeLast() }
        var line = "\(sign) \(addresses.joined(separator: " = "))"
        if !difference.properties.isEmpty {
            let parts = difference.properties.map { property in
                hasValues
                    ? "\(property.name): \(JSONWriter.line(property.left)) -> \(JSONWriter.line(property.right))"
                    : property.name
            }
            line += ": " + parts.joined(separator: ", ")
        }
        return PrintableText.escaped(line)
    }
}
