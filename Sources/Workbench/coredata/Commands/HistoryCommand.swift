import CoreData
import CoreDataExchange
import CoreDataPrinting
import CoreDataWorkbench

/// `history`: prints the transactions of a store's history; follows it, reverts a transaction, or deletes old ones.
struct HistoryCommand: Command {
    let syntax = CommandSyntax(
        name: ["history"],
        summary:
            "Prints the transactions of a store's persistent history, the newest last, or one with all its changes; "
            + "follows it, reverts one, or deletes old ones.",
        operands: [.store],
        options: [
            Option("after", value: "N|DATE", help: "Only transactions after this one, or after this time."),
            Option("before", value: "N|DATE", help: "Only transactions before this one, or before this time."),
            Option("author", value: "NAME", help: "Only transactions of this author."),
            Option(
                "entity", value: "NAME",
                help: "Only changes of objects of this entity and its sub-entities, and transactions that have some."),
            Option("object", value: "ENTITY/pN", help: "Only changes of this object, and transactions that have some."),
            Option(
                "span", value: "N-M",
                help:
                    "Print what became of objects from after transaction N to after M, where old values are kept: "
                    + "{\"type\", \"entity\", \"objectID\", \"values\"} of each that is not the same."),
            Option("timeline", help: "Print how many transactions there were when, by author, as JSON."),
            Option(
                "limit", value: "N", help: "The greatest number of transactions, the newest; 0 for all, as without it."),
            Option("transaction", value: "N", help: "Print this transaction with all its changes."),
            Option(
                "follow",
                help: "Go on and print transactions as they are committed, by whichever process, until interrupted."),
            Option("purge", value: "N|DATE", help: "Delete the transactions before this one, or before this time."),
            Option(
                "revert", value: "N",
                help:
                    "Undo this transaction by a new one and print what that changes; of an import all its transactions. Refused "
                    + "where later transactions touched the same."),
            Option(
                "dry-run", help: "With --purge and --revert: tell what would change, and leave the store as it is."),
            .model, .format([.table, .json]),
        ],
        details: [
            "DATE is ISO 8601, UTC where no zone is given: 2024-02-29, or 2024-02-29T12:00:00.250Z.",
            "json is an array with a transaction a line: {\"id\", \"timestamp\", \"author\", \"contextName\", "
                + "\"bundleID\", \"processID\", \"changes\": [{\"type\", \"entity\", \"objectID\", "
                + "\"updatedProperties\", \"tombstone\"}]}. The type is insert, update or delete; the tombstone has the "
                + "values that the model preserves of a deleted object. An object of an entity that the model does not "
                + "have is null, and an update that does not record its properties has none.",
            "Only transactions that were committed with CoreDataHistoryKeepsOldValuesOption can be reverted. Of them and "
                + "where all later ones have been too, --transaction prints old and new values, in json as \"values\": "
                + "{name: {\"old\", \"new\"}}; --revert prints an array of {\"type\", \"entity\", \"objectID\", \"values\"}. "
                + "An object that is inserted again is a new one.",
            "Transactions deleted by --purge are missed by readers that have not read them yet, such as the app's other "
                + "processes. Reading changes no byte of the store and leaves no file; --follow, and --transaction "
                + "where old values are kept, may leave a log and its index beside it.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        try checkOptions(arguments)
        if let bound = try arguments.bound("purge") { return try purge(before: bound, arguments, output) }
        if arguments.has("revert") {
            return try revert(Int64(arguments.number("revert")), arguments: arguments, output: output)
        }
        var filter = try arguments.historyFilter()
        let store = try OpenStore(
            at: arguments.path(0), model: arguments.model,
            for: arguments.has("follow")
                ? .followingHistory
                : arguments.has("transaction") || arguments.has("span")
                    ? .readingTransaction : .readingHistory)
        filter.entity = try arguments["entity"].map(store.entity)
        if let object = arguments["object"] {
            try filter.takeObject(object, of: store.coordinator.managedObjectModel)
        }
        store.reportProblems()
        if arguments.has("timeline") {
            return output.line(JSONWriter.lines(try HistoryTimeline(filter, of: store.store).json))
        }
        if let span = arguments["span"] {
            return try printSpan(span, store: store, arguments: arguments, output: output)
        }
        let printer = printer(arguments, output)
        guard arguments.has("follow") else {
            return try printer.printing { try store.readHistory(filter, printer.print) }
        }
        let signal = FollowSignal()
        let interruption = Interruption(signal.end)
        defer { interruption.end() }
        try printer.printing {
            try store.followHistory(filter, until: signal, printer.print) {
                try printer.pause()
                try output.flush()
                try output.checkReader()
            }
        }
    }

    private func printSpan(
        _ text: String, store: OpenStore, arguments: Arguments, output: StandardOutput
    ) throws {
        let numbers = text.split(separator: "-").map { Int64($0) }
        guard numbers.count == 2, let first = numbers[0], let last = numbers[1] else {
            throw arguments.error("--span takes the numbers of two transactions as 3-9, not '\(text)'")
        }
        let (changes, isComplete) = try store.store.netChanges(after: first, through: last)
        if arguments.format == .json {
            output.line(JSONWriter.lines(.array(changes.map { $0.json() })))
        } else {
            for change in changes {
                output.line("\(change.type)  \(PrintableText.escaped(change.objectID))")
                for value in change.changes { output.line("        " + value.line(limit: Terminal.width ?? .max)) }
            }
        }
        if !isComplete { StandardError.write("\(Release.name): there are more objects, which were not looked at") }
    }

    private func printer(_ arguments: Arguments, _ output: StandardOutput) -> any HistoryPrinting {
        if arguments.format == .json { return HistoryJSONPrinter(output) }
        if arguments.has("transaction") { return HistoryDetailPrinter(output) }
        return HistoryTablePrinter(output, isFollowing: arguments.has("follow"))
    }

    private func purge(before bound: HistoryBound, _ arguments: Arguments, _ output: StandardOutput) throws {
        // A store without a history is not opened for writing, which would begin one.
        _ = try OpenStore(at: arguments.path(0), model: arguments.model, for: .readingHistory)
        let use = arguments.mode == .dryRun ? StoreUse.readingHistory : .editing
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: use)
        store.reportProblems()
        let count = try store.purgeHistory(before: bound, mode: arguments.mode)
        if arguments.format == .json { return output.line("{\"deleted\":\(count)}") }
        let deleted = Count.transactions(count)
        output.say(arguments.mode == .dryRun ? "would delete \(deleted)" : "deleted \(deleted)")
    }

    private func revert(_ number: Int64, arguments: Arguments, output: StandardOutput) throws {
        // A store without a history is not opened for writing, which would begin one.
        _ = try OpenStore(at: arguments.path(0), model: arguments.model, for: .readingHistory)
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .editing)
        store.reportProblems()
        if let name = try importName(of: number, store) {
            let reversal = try store.context.performAndWait {
                let reversal = try ImportReversal(of: name, in: store.context)
                if arguments.mode == .save { try reversal.run() }
                return reversal
            }
            if arguments.format == .json { return output.line("{\"transactions\":\(reversal.count)}") }
            let what = "the \(Count.transactions(reversal.count)) of the \(PrintableText.escaped(name))"
            return output.say(arguments.mode == .dryRun ? "would revert \(what)" : "reverted \(what)")
        }
        let objects = try store.revert(number, mode: arguments.mode)
        if arguments.format == .json { return output.line(JSONWriter.lines(.array(objects.map(\.json)))) }
        for object in objects {
            output.line("\(object.type)  \(PrintableText.escaped(object.objectID ?? object.entity))")
            for change in object.changes { output.line("        " + change.line(limit: Terminal.width ?? .max)) }
        }
        output.say(
            arguments.mode == .dryRun ? "would revert transaction \(number)" : "reverted transaction \(number)")
    }

    /// The name of the import that a transaction is of; nil for another transaction.
    private func importName(of number: Int64, _ store: OpenStore) throws -> String? {
        var filter = HistoryFilter()
        filter.number = number
        var name: String?
        try store.readHistory(filter) { if case .transaction(let transaction) = $0 { name = transaction.contextName } }
        return name.map(StoreImport.isName) == true ? name : nil
    }

    private func checkOptions(_ arguments: Arguments) throws {
        let filters = ["after", "before", "author", "limit"]
        let excluded = [
            "follow": ["before", "transaction", "span", "timeline"],
            "purge": filters + ["entity", "object", "transaction", "follow", "revert", "span", "timeline"],
            "revert": filters + ["entity", "object", "transaction", "follow", "span", "timeline"],
            "transaction": filters + ["span", "timeline"],
            "span": filters + ["entity", "object", "timeline"], "object": ["entity"],
        ]
        for (option, others) in excluded.sorted(by: { $0.key < $1.key }) where arguments.has(option) {
            guard let other = others.first(where: arguments.has) else { continue }
            throw arguments.error("--\(option) and --\(other) contradict each other")
        }
        guard !arguments.has("dry-run") || arguments.has("purge") || arguments.has("revert") else {
            throw arguments.error("--dry-run goes with --purge and --revert")
        }
    }
}

extension Arguments {
    /// The value of an option that takes the number of a transaction or a date; nil if it was not given.
    ///
    /// - Throws: `UsageError` for another value.
    fileprivate func bound(_ option: String) throws -> HistoryBound? {
        guard let text = self[option] else { return nil }
        guard let bound = HistoryBound(text) else {
            throw error("--\(option) takes the number of a transaction or a date such as 2024-02-29, not '\(text)'")
        }
        return bound
    }

    /// The filter of the options, without the entity, which has to be found in the store's model.
    fileprivate func historyFilter() throws -> HistoryFilter {
        var filter = HistoryFilter()
        filter.after = try bound("after")
        filter.before = try bound("before")
        filter.author = self["author"]
        filter.limit = try number("limit")
        if has("transaction") { filter.number = Int64(try number("transaction")) }
        return filter
    }
}
