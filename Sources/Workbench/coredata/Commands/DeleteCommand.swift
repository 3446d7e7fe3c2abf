import CoreDataPrinting
import CoreDataWorkbench

/// `delete`: deletes objects by the model's delete rules.
struct DeleteCommand: Command {
    let syntax = CommandSyntax(
        name: ["delete"],
        summary: "Deletes objects and what the model's delete rules take with them, in one transaction or not at all, "
            + "and prints how many of which entity went.",
        operands: [
            .store,
            CommandOperand(
                name: CommandOperand.objectOrEntity.name,
                help: CommandOperand.objectOrEntity.help + " Several addresses can be given.", isRepeated: true),
        ],
        options: Option.selection + [.dryRun, .model, .format([.table, .json])],
        details: [
            "Nullify takes the object out of relationships to it, Cascade deletes what it leads to as well, and Deny "
                + "refuses as long as it leads somewhere. 'model show' prints the rules."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let words = Array(arguments.operands.dropFirst())
        try arguments.checkSelection(words)
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .editing)
        store.reportProblems()
        let deletion = Deletion(try arguments.selection(words, in: store))
        let counts = try deletion.apply(in: store, mode: arguments.mode)
        if arguments.format == .json { return output.line(JSONWriter.lines(Deletion.json(counts))) }
        let total = counts.reduce(0) { $0 + $1.chosen + $1.cascaded }
        let deleted = Count.objects(total)
        output.say(arguments.mode == .dryRun ? "would delete \(deleted)" : "deleted \(deleted)")
        guard total > 0 else { return }
        var table = TextTable(
            [.init(label: "ENTITY"), .init(label: "CHOSEN", isNumber: true), .init(label: "CASCADED", isNumber: true)],
            limit: Terminal.width)
        for count in counts {
            table.add([PrintableText.escaped(count.entity), "\(count.chosen)", "\(count.cascaded)"], to: output)
        }
        table.finish(output)
    }
}
