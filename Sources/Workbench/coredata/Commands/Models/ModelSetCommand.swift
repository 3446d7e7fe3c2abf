import CoreDataModelEditing
import CoreDataPrinting
import Foundation

/// `model set`: sets options of an item of a model.
struct ModelSetCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "set"], summary: "Sets options of an item in a model's source.",
        operands: [
            ModelEditing.operand, ModelEditing.item,
            CommandOperand(
                name: "NAME=VALUE",
                help:
                    "An option by its word or its name in the source, and its value; without a value it is taken away.",
                isRepeated: true),
        ],
        options: ModelEditing.options,
        details: ModelEditing.details + ["'model options MODEL ITEM' lists the options of an item and their values."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        try ModelEditing.run(arguments, output: output) {
            [try ModelEdit(words: ["set"] + arguments.operands.dropFirst())]
        }
    }
}
