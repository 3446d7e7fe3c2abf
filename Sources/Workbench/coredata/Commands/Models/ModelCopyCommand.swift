import CoreDataModelEditing
import CoreDataPrinting
import Foundation

/// `model copy`: prints the edits that create the same items in another model.
struct ModelCopyCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "copy"],
        summary:
            "Prints the edits that make items of a model, for 'model paste' or 'model edit --file' of another one.",
        operands: [
            ModelEditing.operand,
            CommandOperand(
                name: "ITEM", help: ModelEditing.item.help + " What is in an item comes along.", isRepeated: true),
        ],
        options: [ModelEditing.version],
        details: ["What names other items comes last, so that these are there when they are named."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let document = try ModelSourceFile(at: arguments.path(0), version: arguments["version"]).document()
        for edit in try document.edits(making: ModelEditing.items(arguments.operands.dropFirst(), arguments)) {
            output.line("\(edit)")
        }
    }
}
