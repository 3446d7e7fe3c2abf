import CoreDataInspection

/// `set`: changes properties of one object.
struct SetCommand: Command {
    let syntax = CommandSyntax(
        name: ["set"],
        summary: "Changes properties of one object, checks them by the model, saves, and prints what changed.",
        operands: [
            .store, .object,
            Operand(name: "KEY=VALUE", help: "A property and its new value.", isRepeated: true),
        ],
        options: [.model, .format([.table, .json])],
        details: [
            "Values by type: numbers with a decimal point; YES or NO; dates in ISO 8601, UTC where no zone is given; data "
                + "in base64; UUIDs and URIs as usual; texts as they stand, so that 'key=' is the empty text.",
            "key=@null is nil. '@@' at the start of a text stands for one '@'.",
            "A to-one relationship takes the address of an object, a to-many one takes addresses with commas and leads to "
                + "exactly these afterwards.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let edit = try ObjectEdit(Array(arguments.operands.dropFirst(2)))
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, isWritable: true)
        store.reportProblems()
        let (id, changes) = try edit.apply(to: arguments.operands[1], in: store)
        if arguments.format == .json { return output.line(JSONWriter.lines(ObjectEdit.json(id, changes))) }
        if changes.isEmpty { output.line("\(PrintableText.escaped(id.shortText)): nothing to change") }
        for change in changes {
            let texts = [change.before, change.after].map { Cell.table($0, limit: 500) }
            output.line("\(PrintableText.escaped("\(id.shortText)  \(change.key)")): \(texts[0]) -> \(texts[1])")
        }
    }
}
