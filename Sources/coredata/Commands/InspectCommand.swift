import CoreDataInspection

/// `inspect`: what is in a store.
struct InspectCommand: Command {
    let syntax = CommandSyntax(
        name: ["inspect"],
        summary: "Prints what is in a store: entities with counts, metadata, the model that fits, indexes and size.",
        operands: [.store], options: [.model, .format([.table, .json])],
        details: [
            "A store without a model of its own shows what its metadata says; counts need the model. A model that does "
                + "not match is reported with the entities that differ, and the exit code is 1."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let report = try StoreReport(at: arguments.path(0), model: arguments.model)
        if arguments.format == .json {
            output.line(JSONWriter.lines(report.json))
        } else {
            StorePrinter(output: output, width: Terminal.width).print(report)
        }
        guard let failure = report.failure else { return }
        // Without a model there is still an answer, so a missing one is a remark and no failure.
        guard failure.code == .noModel else { throw failure }
        try output.flush()
        StandardError.write("\(Program.name): \(failure)")
    }
}
