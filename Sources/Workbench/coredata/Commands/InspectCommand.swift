import CoreDataPrinting
import CoreDataWorkbench

/// `inspect`: prints what a store contains.
struct InspectCommand: Command {
    let syntax = CommandSyntax(
        name: ["inspect"],
        summary: "Prints what is in a store: entities with counts, metadata, the model that fits, history and size.",
        operands: [.store],
        options: [
            .model, Option("indexes", help: "Print the indexes too; json always has them."),
            Option("tables", help: "Print the tables with the numbers of their rows too."), .format([.table, .json]),
        ],
        details: [
            "Of a store without a model of its own the counts are those of the tables, which are printed as well. A model "
                + "that does not match is reported with the entities that differ. Then, and where the store's own model "
                + "cannot be read, the exit code is 1.",
            "Of a model with several versions the one that matches is named, the nearest of the others, and those that "
                + "cannot be read; json has them all.",
            "'history' says whether the store has the tables in which Core Data records its changes, how many transactions "
                + "there are, and the number and time of the first and the last. 'coredata history' lists them.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let report = try StoreReport(
            at: arguments.path(0), model: arguments.model, includesTables: arguments.has("tables"))
        if arguments.format == .json {
            output.line(JSONWriter.lines(report.json))
        } else {
            StorePrinter(output: output, width: Terminal.width)
                .print(report, indexes: arguments.has("indexes") ? report.indexes : [])
        }
        guard let failure = report.failure else { return }
        // Without a model there is still a report, so a missing model is a warning and not an error.
        guard failure.code == .noModel else { throw failure }
        try output.flush()
        StandardError.write("\(Release.name): \(failure)")
    }
}
