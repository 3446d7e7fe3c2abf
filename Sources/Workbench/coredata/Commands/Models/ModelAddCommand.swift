import CoreDataModelEditing
import CoreDataPrinting
import Foundation

/// `model add`: adds an item to a model's source.
struct ModelAddCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "add"],
        summary: "Adds an entity, a property or another item to a model's source, as Xcode makes a fresh one.",
        operands: [
            ModelEditing.operand,
            CommandOperand(
                name: "KIND",
                help: SourceItemKind.allCases.filter { $0 != .model }.map(\.rawValue).joined(separator: ", ")),
            ModelEditing.item,
            CommandOperand(
                name: "NAME=VALUE", help: "What to set of it; 'model options' lists them.", isRepeated: true,
                isOptional: true),
        ],
        options: ModelEditing.options,
        details: ModelEditing.details + [
            "'model add M attribute Hero.age type=\"Integer 16\" min=0' adds an attribute; 'model add M relationship "
                + "Hero.powers destination=Power to-many=YES inverse=hero' a relationship whose other end is there."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        try ModelEditing.run(arguments, output: output) {
            [try ModelEdit(words: ["add"] + arguments.operands.dropFirst())]
        }
    }
}
