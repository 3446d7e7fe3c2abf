import CoreDataInspection

/// `check`: what is wrong with a store.
struct CheckCommand: Command {
    let syntax = CommandSyntax(
        name: ["check"], summary: "Looks for everything in a store that is not as it should be, and changes nothing.",
        operands: [.store],
        options: [
            .model,
            Option(
                "limit", value: "NUMBER",
                help:
                    "How many findings of a kind are listed; \(StoreCheck.usualLimit) unless told otherwise. All are counted."
            ),
            Option(
                "grace", value: "HOURS",
                help:
                    "For how long a file of a large value that no row names may belong to a save under way; 24 unless told "
                    + "otherwise."),
            .format([.table, .json]),
        ],
        details: [
            "The file, its indexes and its log are checked, the store's metadata, model and history, every row, link and value, "
                + "and the files of large values. 'model check' is about models.",
            "Docs/Checking.md has the cause and the cure of each kind of finding.",
            "Exit codes: 0 the store is sound, 1 there are findings, 2 it cannot be checked.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        var check = StoreCheck(arguments.path(0), model: arguments.model)
        if arguments.has("limit") { check.limit = try arguments.number("limit") }
        if arguments.has("grace") { check.grace = Double(try arguments.number("grace")) * 3_600 }
        let report: StoreCheckReport
        do {
            report = try check.run()
        } catch {
            throw ExitStatus(code: 2, cause: error)
        }
        if arguments.format == .json {
            output.line(JSONWriter.lines(report.json))
        } else {
            FindingPrinter(output: output).print(report)
        }
        if !report.isSound { throw ExitStatus(code: 1) }
    }
}
