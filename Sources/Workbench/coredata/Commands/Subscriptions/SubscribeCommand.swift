import CoreDataExchange
import CoreDataPrinting
import CoreDataWorkbench

/// `subscribe`: imports what a URL has, and keeps the URL in the store to be refreshed.
struct SubscribeCommand: Command {
    private static let shownRecords = 5

    let syntax = CommandSyntax(
        name: ["subscribe"],
        summary: "Imports the records that a URL has, and keeps the URL in the store for 'refresh'.",
        operands: [.store, .subscribedURL],
        options: [
            Option(
                "mapping", value: "FILE|feed",
                help:
                    "A property list that says where the records lie and what becomes of them, which is kept with the URL; "
                    + "'feed' takes the entries of RSS, Atom or JSON Feed into the entity of --entity."),
            Option("entity", value: "NAME", help: "The entity of the entries of a feed."),
            Option(
                "interval", value: "TIME",
                help:
                    "How long to wait at least between two requests, as 15s, 10m, 2h or 1d; without it what the feed (ttl) and "
                    + "its server (Cache-Control, Expires) say, at most a day."),
            .dryRun, .model, .progress, .noProgress, .format([.table, .json]),
        ],
        details: [
            "With --dry-run nothing is kept or imported: what would come is counted, and the first records are shown.",
            "A URL that is subscribed to already gets the new mapping. A URL with a password is refused, since others can read "
                + "the store.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard let word = arguments["mapping"] else {
            throw arguments.error("--mapping FILE or --mapping feed is missing")
        }
        let mapping = try PlaceImport.Mapping(word)
        if case .feed = mapping, !arguments.has("entity") {
            throw arguments.error("--mapping feed needs the entity of its entries: --entity NAME")
        }
        var subscription = try Subscription(
            arguments.operands[1], mapping, entity: arguments["entity"], interval: arguments.duration("interval"))
        let source = subscription.source(mode: arguments.mode) { try arguments.fetched($0, unless: $1) }
        _ = try source.begin(unlessKnownTo: nil)
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .importing)
        store.reportProblems()
        try subscription.prepare(source, for: store.coordinator.managedObjectModel)
        let report = try subscription.imported(source, into: store)
        if arguments.mode == .save {
            (subscription.asked, subscription.changed) = (Date(), Date())
            try subscription.save(in: store)
        }
        if arguments.format == .json { return output.line(JSONWriter.line(report.json)) }
        for line in ImportCommand.lines(of: report) { output.say(line) }
        guard arguments.mode != .save else { return }
        for record in try source.firstRecords(Self.shownRecords, for: store.coordinator.managedObjectModel) {
            let values = record.values.map { "\($0.name) = \($0.text)" }.joined(separator: ", ")
            output.line(PrintableText.escaped("\(record.entity): \(values)"))
        }
    }
}

/// `subscriptions`: lists the URLs that a store subscribes to.
struct SubscriptionsCommand: Command {
    let syntax = CommandSyntax(
        name: ["subscriptions"],
        summary: "Lists the URLs that a store subscribes to, with the times of the last and the next request.",
        operands: [.store], options: [.format([.table, .json])],
        details: [
            "json is an array of {\"url\", \"mapping\", \"entity\", \"interval\", \"asked\", \"changed\", \"due\", \"failure\"}; "
                + "the mapping is feed or given, the interval in seconds."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let all = Subscription.all(in: try StoreFacts(at: arguments.path(0)).metadata)
        if arguments.format == .json { return output.line(JSONWriter.lines(.array(all.map(\.json)))) }
        var table = TextTable(
            [.init(title: "URL", isWhole: true)] + ["ENTITY", "CHANGED", "DUE", "FAILURE"].map { .init(title: $0) },
            limit: Terminal.width)
        for one in all {
            table.add(
                [
                    one.url.absoluteString, one.entity ?? "", one.changed.map(ISODate.text) ?? "",
                    one.due.map(ISODate.text) ?? "", one.failure ?? "",
                ].map { PrintableText.escaped($0) }, to: output)
        }
        if !all.isEmpty { table.finish(output) }
    }
}

/// `unsubscribe`: ends subscriptions.
struct UnsubscribeCommand: Command {
    let syntax = CommandSyntax(
        name: ["unsubscribe"], summary: "Ends subscriptions of a store; what was imported stays.",
        operands: [
            .store, CommandOperand(name: "URL", help: "The URL, as 'subscriptions' lists it.", isRepeated: true),
        ],
        options: [.model])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let metadata = try StoreFacts(at: arguments.path(0)).metadata
        let all = try arguments.operands.dropFirst().map { try Subscription.to($0, in: metadata) }
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .editing)
        for subscription in all { try subscription.remove(from: store) }
        output.say("ended \(all.count) \(all.count == 1 ? "subscription" : "subscriptions")")
    }
}

extension CommandOperand {
    fileprivate static let subscribedURL = CommandOperand(
        name: "URL", help: "An http or https URL, kept in the store as it is given.")
}
