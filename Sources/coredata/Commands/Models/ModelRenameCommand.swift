import CoreDataInspection
import CoreDataModelEditing

/// `model rename`: gives an item of a model another name.
struct ModelRenameCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "rename"],
        summary: "Renames an item in a model's source, and follows wherever others name it.",
        operands: [
            ModelEditing.operand, ModelEditing.item, Operand(name: "NAME", help: "The name that it is to have."),
        ],
        options: [
            Option(
                "keep-identity",
                help: "Makes the old name the renaming identifier, so that stores of the version before can follow.")
        ] + ModelEditing.options,
        details: ModelEditing.details + [
            "Parents, destinations, inverses, configurations, indexes and constraints follow, and so do the keys in "
                + "predicates, derivations and expressions; a line tells of each of these texts."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        try ModelEditing.run(arguments, output) {
            [
                .rename(
                    try ModelItem(arguments.operands[1]), to: arguments.operands[2],
                    keepsIdentity: arguments.has("keep-identity"))
            ]
        }
    }
}
