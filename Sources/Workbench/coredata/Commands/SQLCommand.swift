import CoreDataJobs
import CoreDataPrinting
import CoreDataRepair
import CoreDataWorkbench

/// `sql`: prints the rows that an SQL statement returns from a store.
struct SQLCommand: Command {
    let syntax = CommandSyntax(
        name: ["sql"],
        summary:
            "Asks a store in SQLite or PostgreSQL by one statement that only reads, and names columns by the model.",
        operands: [
            .store,
            CommandOperand(name: "SELECT", help: "The statement, with parameters such as :name.", isOptional: true),
        ],
        options: [
            Option(
                "parameter", value: "NAME=VALUE",
                help:
                    "A value for a parameter: a number, 'a text' (quotes where it looks like something else), x'00ff', @null, "
                    + "or @2024-02-29 for the number that a date is stored as. Bare ones are 1, 2. May be given several times.",
                isRepeated: true),
            Option(
                "limit", value: "N",
                help:
                    "The greatest number of rows; \(SQLQuery.usualRows) by default, \(SQLQuery.mostRows) at most."
            ),
            Option("timeout", value: "SECONDS", help: "How long the statement may take, in seconds; 60 by default."),
            Option(
                "schema", help: "Print tables and columns with the entities and properties that they are; ask nothing."),
            .model, .progress, .noProgress,
            Option(
                "format", value: "table|json|csv|jsonl", help: "How to print the result; table by default.",
                choices: ["table", "json", "csv", "jsonl"]),
        ],
        details: [
            "The store is read on a connection of its own and stays as it is to the byte: statements that would write, set a "
                + "pragma, attach a file or call a function that is not known to be harmless are refused. A model is not needed.",
            "On a server the statement is carried out as a role that cannot write: the URL's own user, or the one that "
                + "?sqlrole=NAME in the URL names. The transaction only reads and is rolled back. Parameters are $1, $2.",
            "Texts are cut after \(SQLCell.mostOfText) bytes, blobs after \(SQLCell.mostOfBlob); in json they are {\"text\", "
                + "\"bytes\"} and {\"hex\", \"bytes\"}. A table shows the dates beside the numbers of columns that have them.",
            "json is {\"sql\", \"parameters\", \"columns\", \"rows\", \"complete\", \"stopped\"}, as GET /stores/STORE/sql of the "
                + "browser; jsonl has an object a row. Where 'complete' is false, 'stopped' says which limit there was: rows, size "
                + "or time, and standard error says so too.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let form = arguments["format"] ?? "table"
        let question = try arguments.has("schema") ? nil : question(arguments)
        let facts = try StoreFacts(ofTablesAt: arguments.path(0))
        // The model only adds names of entities and properties, so it may be missing unless one is given.
        let model =
            try arguments.model == nil
            ? try? OpenStore.model(at: nil, for: facts) : OpenStore.model(at: arguments.model, for: facts)
        if let flaw = facts.flaw {
            StandardError.write("\(Release.name): \(flaw)")
        } else if let mismatch = model?.mismatch {
            throw mismatch
        }
        let printer = SQLPrinter(output: output)
        let answer: SQLAnswer
        do {
            let opened = try SQLConsoles.console(
                of: facts.type, at: facts.url, model: model?.model, configuration: model?.configuration)
            guard let console = opened else {
                throw InspectionError(
                    .unreadable, subject: facts.url.place, cause: "only stores in SQLite and PostgreSQL have SQL",
                    hint: "'chart' and 'fetch' ask any store")
            }
            guard let question else { return try printer.print(console.names(), form) }
            answer = try arguments.progress("asking").showing { _ in try console.answer(question) }
        } catch let error as SQLConsoleError {
            throw error.inspectionError
        }
        printer.print(answer, form)
        try output.flush()
        printer.warn(of: answer)
    }

    private func question(_ arguments: Arguments) throws -> SQLQuery {
        guard arguments.operands.count > 1 else {
            throw arguments.error("which statement?", hint: "give SELECT …, or --schema for the tables")
        }
        let limit = try arguments["limit"] == nil ? SQLQuery.usualRows : arguments.number("limit")
        guard (1...SQLQuery.mostRows).contains(limit) else {
            throw arguments.error("--limit takes a whole number from 1 to \(SQLQuery.mostRows)")
        }
        guard let seconds = Double(arguments["timeout"] ?? "60"), seconds > 0, seconds <= 86_400 else {
            throw arguments.error("--timeout takes seconds, more than 0 and at most 86400")
        }
        return SQLQuery(
            sql: arguments.operands[1], parameters: try parameters(arguments), limit: limit, time: .seconds(seconds))
    }

    private func parameters(_ arguments: Arguments) throws -> [String: String] {
        var parameters: [String: String] = [:]
        for text in arguments.all("parameter") {
            let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, !sides[0].isEmpty else {
                throw arguments.error("--parameter takes NAME=VALUE, not '\(text)'")
            }
            parameters[sides[0]] = sides[1]
        }
        return parameters
    }
}
