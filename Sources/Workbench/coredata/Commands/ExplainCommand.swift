import CoreDataPrinting
import CoreDataViewing
import CoreDataWorkbench

/// `explain`: shows how a fetch is executed, which parts of it a server executes, and which index would help.
struct ExplainCommand: Command {
    let syntax = CommandSyntax(
        name: ["explain"],
        summary: "Shows a fetch's SQL, its plan and what it costs; of SQLite also an index that would make it cheaper.",
        operands: [.store, CommandOperand(name: "ENTITY", help: "The name of the entity.")],
        options: [
            .where, .search, .sort,
            Option("limit", value: "N", help: "The greatest number of objects; 0 for all, as without it."),
            Option("offset", value: "N", help: "How many objects to leave out at the start."),
            Option("analyze", help: "Carry the fetch out on a server too, and count rows; in a file it always is."),
            Option("values", help: "Show the values that a server is sent."),
            Option("whole", help: "Show the expressions of indexes of folded texts as a server is sent them."), .model,
            .format([.table, .json]),
        ],
        details: [
            "The fetch is carried out, and nothing is written to the store. Rows visited are all that were "
                + "looked at, table by table; scan steps are SQLite's count of moves from row to row where no index leads on.",
            "Indexes that the conditions and the order suggest are tried in a copy of the store in memory; of a file of "
                + "more than 256 megabytes only the plans are. What is suggested was seen to help. The lines for the model "
                + "go inside the entity in the file 'contents'; an index changes no version hash, and stores that are "
                + "made from then on have it.",
            "Of a store on a server it says which comparisons the server decides, which it only narrows, and which memory "
                + "is asked of, and why; whether rows are sorted there; what the server is asked, and its plan. With "
                + "--analyze the fetch is carried out in a transaction that only reads, and the rows that were looked at, "
                + "sent and answered are counted.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let limit = try arguments.number("limit")
        let offset = try arguments.number("offset")
        let store = try OpenStore(at: arguments.path(0), model: arguments.model)
        let entity = try store.entity(named: arguments.operands[1])
        let query = try ObjectQuery(
            entity, in: store.store, where: arguments["where"], search: arguments["search"], sort: arguments["sort"],
            limit: limit, offset: offset)
        store.reportProblems()
        let isJSON = arguments.format == .json
        if let onServer = try store.explainOnServer(query, isCarriedOut: arguments.has("analyze")) {
            guard !isJSON else { return output.line(JSONWriter.lines(onServer.json)) }
            let printer = ServerExplanationPrinter(
                output: output, showsValues: arguments.has("values"),
                showsWhole: arguments.has("whole"))
            return printer.print(onServer)
        }
        let explanation = try store.explain(query)
        guard !isJSON else { return output.line(JSONWriter.lines(explanation.json)) }
        ExplanationPrinter(output: output).print(explanation)
    }
}
