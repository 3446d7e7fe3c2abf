import CoreDataPrinting
import CoreDataWorkbench

/// `set`: changes properties of objects.
struct SetCommand: Command {
    let syntax = CommandSyntax(
        name: ["set"],
        summary: "Changes properties of one object, or of all that match, checks them by the model, saves in one "
            + "transaction, and prints what changed.",
        operands: [
            .store, .objectOrEntity,
            CommandOperand(
                name: "KEY=VALUE", help: "A property and its new value.", isRepeated: true, isOptional: true),
        ],
        options: Option.selection + Option.json + [.dryRun, .model, .format([.table, .json])],
        details: [
            "JSON is one object {\"key\": value, …} or what 'get --format json' prints, of which all attributes and "
                + "relationships are set."
        ] + Help.values)

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let chosen = arguments.operands[1]
        let words = Array(arguments.operands.dropFirst(2))
        try arguments.checkSelection([chosen])
        let input = try arguments.objects()
        guard !words.isEmpty || input != nil else { throw arguments.error("KEY=VALUE is missing") }
        let edit = try ObjectEdit(words, input: input ?? [])
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .editing)
        store.reportProblems()
        let selection = try arguments.selection([chosen], in: store)
        let isSingle = ObjectSelection.isAddress(chosen)
        if !isSingle, arguments.format == .table {
            // The number is printed before the change is made, so that the user can interrupt a wrong one.
            output.say("\(Count.objects(try store.count(selection))) selected")
            try output.flush()
        }
        let outcomes = try edit.apply(to: selection, in: store, mode: arguments.mode)
        guard arguments.format == .table else {
            return isSingle
                ? output.line(JSONWriter.lines(outcomes[0].json)) : output.list(outcomes.map(\.json))
        }
        for outcome in outcomes { print(outcome, mode: arguments.mode, output: output) }
    }

    private func print(_ outcome: ObjectEdit.Outcome, mode: EditMode, output: StandardOutput) {
        let name = outcome.id.shortText
        let would = mode == .dryRun ? "would be " : ""
        if outcome.changes.isEmpty { output.say("\(PrintableText.escaped(name)): nothing to change") }
        for change in outcome.changes {
            let texts = [change.before, change.after].map { Cell.table($0, limit: 500) }
            let line = "\(PrintableText.escaped("\(name)  \(change.key)")): \(texts[0]) -> \(would)\(texts[1])"
            output.line(Terminal.width.map { DisplayWidth.truncated(line, to: $0) } ?? line)
        }
    }
}
