import CoreDataInspection

/// `fetch`: objects of an entity.
struct FetchCommand: Command {
    let syntax = CommandSyntax(
        name: ["fetch"], summary: "Prints objects of an entity, those of its sub-entities included.",
        operands: [.store, Operand(name: "ENTITY", help: "The name of the entity.")],
        options: [
            .where, .sort,
            Option("limit", value: "N", help: "The greatest number of objects; 0 for all, as without it."),
            Option("offset", value: "N", help: "How many objects to leave out at the start."),
            Option(
                "keys", value: "A,B.C",
                help:
                    "What to print of each object: properties, dotted paths along to-one relationships, the number of "
                    + "members of a to-many one as 'members.@count', 'objectID' and 'entity'. Without it all "
                    + "attributes and to-one relationships; in json all properties."),
            .model, .format([.table, .json, .csv]),
        ],
        details: [
            "A table shows nil as nil, and in csv nil is an empty field, an empty text is \"\". In json dates are ISO 8601 "
                + "in UTC (or @ and seconds since 2001 outside the years 0 to 9999), data is base64, decimals are texts. "
                + "A value that cannot be read is null, and a line on standard error says why; the object is still printed."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let limit = try arguments.number("limit")
        let offset = try arguments.number("offset")
        let store = try OpenStore(at: arguments.path(0), model: arguments.model)
        let entity = try store.entity(named: arguments.operands[1])
        let query = try ObjectQuery(
            entity, where: arguments["where"], sort: arguments["sort"], limit: limit, offset: offset)
        let routes = try arguments["keys"].map { try ObjectQuery.list($0).map { try KeyRoute($0, from: entity) } }
        if routes?.isEmpty == true { throw UsageError("--keys names no key", command: syntax.name) }
        store.reportProblems()
        let printer = ObjectPrinter(store: store, query: query, output: output)
        defer { printer.warnings.finish() }
        switch arguments.format {
        case .table: try printer.printTable(routes ?? KeyRoute.columns(of: entity))
        case .json: try printer.printJSON(routes)
        case .csv: try printer.printCSV(routes ?? KeyRoute.columns(of: entity))
        }
    }
}
