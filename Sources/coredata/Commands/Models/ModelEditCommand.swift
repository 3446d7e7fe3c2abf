import CoreDataInspection
import CoreDataModelEditing

/// `model edit`: several edits of a model as one step.
struct ModelEditCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "edit"], summary: "Applies several edits to a model's source, all or none.",
        operands: [
            ModelEditing.operand,
            Operand(
                name: "EDIT", help: "An edit in quotes: the words of 'model add', 'set', 'rename', 'remove' or 'move'.",
                isRepeated: true, isOptional: true),
        ],
        options: [
            Option("file", value: "FILE", help: "Edits, one a line; - for standard input. Lines with # are left out.")
        ] + ModelEditing.options,
        details: ModelEditing.details + [
            "An edit is written as 'add attribute Hero.age type=\"Integer 16\"', 'rename Hero.name title "
                + "--keep-identity' or 'remove Power --with-references'. On the way from one edit to the next the source "
                + "need not be a model."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard arguments.has("file") == (arguments.operands.count == 1) else {
            throw arguments.error("either EDIT or --file FILE is needed")
        }
        try ModelEditing.run(arguments, output) {
            guard let path = arguments["file"] else {
                return try arguments.operands.dropFirst().map { try ModelEdit($0) }
            }
            return try ModelEdit.edits(in: String(decoding: InputFile.bytes(path), as: UTF8.self))
        }
    }
}
