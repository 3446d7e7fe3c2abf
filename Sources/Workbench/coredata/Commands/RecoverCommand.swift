import CoreDataJobs
import CoreDataPrinting
import CoreDataRepair
import CoreDataWorkbench

/// `recover`: makes a new store of the data that can be read from a damaged one.
struct RecoverCommand: Command {
    let syntax = CommandSyntax(
        name: ["recover"], summary: "Makes a new store of what can still be read of a damaged one, and checks it.",
        operands: [.storeFile],
        options: [
            Option("output", letter: "o", value: "NEW", help: "Where the new store is made; nothing must be there."),
            Option(
                "model", value: "PATH",
                help: "The model of the store, where the file keeps none that can be read, or another is wanted."),
            .progress, .noProgress, .format([.table, .json]),
        ],
        details: [
            "The file is read page by page without SQLite, so rows are found that nothing leads to any more. Rows keep their keys, "
                + "and the store its identity where it can be read. The damaged store is never written.",
            "Not recovered: the history, and tables that the model does not know; the report counts their rows.",
            "Exit codes: 0 a store was made, 1 refused or failed.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let recovery = StoreRecovery(arguments.path(0), to: try arguments.output(), model: arguments.model)
        let report = try OutputFile.leavingNothing {
            try arguments.progress("recovering").showing { _ in try recovery.run() }
        }
        if arguments.format == .json {
            output.line(JSONWriter.lines(report.json))
        } else {
            RecoveryPrinter(output: output).print(report)
        }
    }
}
