import CoreDataPrinting
import CoreDataViewing
import CoreDataWorkbench

/// `chart`: groups objects and calculates aggregates of each group, as a table or a drawing.
struct ChartCommand: Command {
    let syntax = CommandSyntax(
        name: ["chart"],
        summary: "Groups objects of an entity and calculates sums, averages and more, as a table or a drawing.",
        operands: [.store, CommandOperand(name: "ENTITY", help: "The name of the entity.")],
        options: [
            .where,
            Option(
                "group", value: "KEY,KEY",
                help:
                    "Attributes or to-one relationships, dotted paths among them, or KEY@day, KEY@month, KEY@year of a date in UTC."
            ),
            Option(
                "aggregate", value: "FUNCTION:KEY",
                help:
                    "count, or sum, min, max, average or distinct of an attribute, as sum:age; count by default. May be given several times.",
                isRepeated: true),
            Option(
                "having", value: "FORMAT",
                help: "A predicate that groups must meet, over the columns of the result: 'count > 3'."),
            Option(
                "sort", value: "COLUMN,-COLUMN",
                help:
                    "Columns of the result to sort by; '-' turns an order around. Without it the greatest come first, lines and parts of dates in their own order."
            ),
            Option(
                "limit", value: "N",
                help:
                    "The greatest number of rows; \(SummaryRequest.usualRows) by default, \(SummaryRequest.mostRows) at most."
            ),
            Option(
                "kind", value: "bar|line|scatter|table", help: "How to draw; bar for svg by default.",
                choices: ["bar", "line", "scatter", "table"]),
            .model,
            Option(
                "format", value: "table|json|csv|svg",
                help: "How to print the result; table by default, svg for a FILE.svg.",
                choices: ["table", "json", "csv", "svg"]),
            Option(
                "output", letter: "o", value: "FILE",
                help: "Where to write, in place of standard output. A file there is replaced."),
        ],
        details: [
            "Stores of all kinds are asked by the same requests. The columns are the keys and the aggregates, which --having and "
                + "--sort call count, sum_age, birthDate_month. The average of dates is a date.",
            "A drawing with two keys and one aggregate has a series for each value of the second, where these are at most eight. "
                + "scatter draws the first two columns of numbers against each other. Bars beyond the sixtieth are left out, and listed.",
            "json is {\"entity\", \"kind\", \"columns\", \"rows\", \"complete\", \"notes\"}, as GET /stores/STORE/console of the browser.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let file = arguments["output"]
        let form = arguments["format"] ?? (file?.hasSuffix(".svg") == true ? "svg" : "table")
        let kind = arguments["kind"].flatMap(ChartKind.init) ?? (form == "svg" ? .bar : .table)
        let limit = try arguments["limit"] == nil ? SummaryRequest.usualRows : arguments.number("limit")
        guard (1...SummaryRequest.mostRows).contains(limit) else {
            throw arguments.error("--limit takes a whole number from 1 to \(SummaryRequest.mostRows)")
        }
        let store = try OpenStore(at: arguments.path(0), model: arguments.model)
        let question = try SummaryRequest(
            store.entity(named: arguments.operands[1]), in: store.store, where: arguments["where"],
            group: arguments["group"],
            aggregates: arguments.all("aggregate"), having: arguments["having"], sort: arguments["sort"], limit: limit,
            kind: kind)
        store.reportProblems()
        let summary = try store.summary(of: question)
        if let file {
            let target = try OutputFile(file)
            try SummaryPrinter.text(of: summary, form).write(to: target)
            try target.finish()
        } else {
            try SummaryPrinter.text(of: summary, form).write(to: output)
        }
        try output.flush()
        for note in summary.notes { StandardError.write("\(Release.name): warning: \(PrintableText.escaped(note))") }
        if !summary.isComplete {
            StandardError.write(
                "\(Release.name): warning: there are more than \(summary.rows.count) rows; --limit N gives more")
        }
    }
}
