import CoreDataModelEditing
import CoreDataPrinting
import Foundation

/// `model remove`: removes items from a model's source.
struct ModelRemoveCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "remove"], summary: "Removes items from a model's source.",
        operands: [
            ModelEditing.operand, CommandOperand(name: "ITEM", help: ModelEditing.item.help, isRepeated: true),
        ],
        options: [
            Option(
                "with-references",
                help: "Takes along what names an entity or a composite; heirs get the parent of the entity.")
        ] + ModelEditing.options,
        details: ModelEditing.details + [
            "A property leaves its inverse and the indexes; a constraint that names it goes too, since without it "
                + "it would forbid more."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        try ModelEditing.run(arguments, output: output) {
            try arguments.operands.dropFirst().map {
                .remove(try SourceItem($0), withReferences: arguments.has("with-references"))
            }
        }
    }
}
