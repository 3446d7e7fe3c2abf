import CoreDataModelEditing
import CoreDataPrinting
import Foundation

/// `model move`: changes the superentity of an entity, or moves a property to another entity.
struct ModelMoveCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "move"],
        summary: "Gives an entity of a model's source another parent, or a property to another entity.",
        operands: [
            ModelEditing.operand, CommandOperand(name: "ITEM", help: "Entity, or Entity.property."),
            CommandOperand(name: "TARGET", help: "The parent, or . for none; the entity that the property goes to."),
        ],
        options: ModelEditing.options,
        details: ModelEditing.details + ["The inverse of a relationship follows."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        try ModelEditing.run(arguments, output: output) {
            [.move(try SourceItem(arguments.operands[1]), to: arguments.operands[2])]
        }
    }
}
