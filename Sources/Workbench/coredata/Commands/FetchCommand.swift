import CoreDataPrinting
import CoreDataWorkbench

/// `fetch`: prints objects of an entity.
struct FetchCommand: Command {
    let syntax = CommandSyntax(
        name: ["fetch"], summary: "Prints objects of an entity, those of its sub-entities included.",
        operands: [.store, CommandOperand(name: "ENTITY", help: "The name of the entity.")],
        options: [
            .where, .search, .sort,
            Option("limit", value: "N", help: "The greatest number of objects; 0 for all, as without it."),
            Option("offset", value: "N", help: "How many objects to leave out at the start."),
            Option(
                "keys", value: "A,B.C",
                help:
                    "What to print of each object: properties, dotted paths along to-one relationships, the number of "
                    + "members of a to-many one as 'members.@count', 'objectID' and 'entity'. Without it all "
                    + "attributes and to-one relationships; in json all properties."),
            Option("count", help: "Print how many objects there are, and none of them."),
            Option(
                "group", value: "A,B.C",
                help:
                    "Print how many objects there are of each value of attributes or to-one relationships, dotted paths "
                    + "among them, the most frequent first. --limit and --offset are of groups then."),
            Option(
                "raw", help: "Print the rows of a table, or of an entity's table, as SQLite has them; needs no model."),
            .model, .format([.table, .json, .csv]),
        ],
        details: [
            "A table shows nil as nil, and in csv nil is an empty field, an empty text is \"\". In json dates are ISO 8601 "
                + "in UTC (or @ and seconds since 2001 outside the years 0 to 9999), data is base64, decimals are texts. "
                + "A value that cannot be read is null, and a line on standard error says why; the object is still printed.",
            "A table that goes to a file or another program cuts what is longer than \(TextTable.widest) characters; csv "
                + "and json have everything.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let limit = try arguments.number("limit")
        let offset = try arguments.number("offset")
        try checkOptions(arguments)
        if arguments.has("raw") { return try printRows(arguments, limit: limit, offset: offset, output) }
        let store = try OpenStore(at: arguments.path(0), model: arguments.model)
        let entity = try store.entity(named: arguments.operands[1])
        let query = try ObjectQuery(
            entity, in: store.store, where: arguments["where"], search: arguments["search"], sort: arguments["sort"],
            limit: limit, offset: offset)
        let (groups, keys) = (
            try routes(arguments, option: "group", entity: entity),
            try routes(arguments, option: "keys", entity: entity)
        )
        let known = store.reportProblems()
        // Problems that are found during the fetch are reported after its output.
        defer { store.reportProblems(beside: known) }
        if arguments.has("count") {
            return CountPrinter(output: output).print(try store.count(query), arguments.format)
        }
        if let groups {
            return CountPrinter(output: output).print(try store.groups(of: query, by: groups), arguments.format)
        }
        let printer = ObjectPrinter(store: store, query: query, output: output)
        defer { printer.warnings.finish() }
        switch arguments.format {
        case .table: try printer.printTable(keys ?? KeyRoute.columns(of: entity))
        case .json: try printer.printJSON(keys)
        case .csv: try printer.printCSV(keys ?? KeyRoute.columns(of: entity))
        }
    }

    private func printRows(_ arguments: Arguments, limit: Int, offset: Int, _ output: StandardOutput) throws {
        let table = try RawTable(arguments.operands[1], inStoreAt: arguments.path(0))
        if arguments.has("count") { return CountPrinter(output: output).print(try table.count(), arguments.format) }
        try RawPrinter(output: output).print(table, arguments.format, limit: limit, offset: offset)
    }

    /// The key paths that an option lists; nil if it was not given.
    private func routes(
        _ arguments: Arguments, option: String, entity: NSEntityDescription
    ) throws -> [KeyRoute]? {
        guard let text = arguments[option] else { return nil }
        let routes = try ObjectQuery.list(text).map { try KeyRoute($0, from: entity) }
        guard !routes.isEmpty else { throw arguments.error("--\(option) names no key") }
        return routes
    }

    private func checkOptions(_ arguments: Arguments) throws {
        let excluded = [
            "count": ["group", "keys", "sort"], "group": ["keys", "sort"],
            "raw": ["where", "search", "sort", "keys", "group", "model"],
        ]
        for (option, others) in excluded.sorted(by: { $0.key < $1.key }) where arguments.has(option) {
            guard let other = others.first(where: arguments.has) else { continue }
            throw arguments.error("--\(option) and --\(other) contradict each other")
        }
    }
}
