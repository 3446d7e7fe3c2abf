import CoreDataModelEditing
import CoreDataPrinting
import Foundation

/// `model paste`: adds the items that `model copy` printed, renamed where their names are taken.
struct ModelPasteCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "paste"],
        summary: "Makes the items that 'model copy' printed, under names that are free.",
        operands: [
            ModelEditing.operand,
            CommandOperand(
                name: "FILE", help: "What 'model copy' printed; - or nothing for standard input.", isOptional: true),
        ],
        options: [Option("into", value: "ITEM", help: "The entity or composite that copied properties go to.")]
            + ModelEditing.options,
        details: [
            "Relationships keep destinations that are there, and inverses that are copied along; what is left out is listed."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let path = arguments.operands.count > 1 ? arguments.operands[1] : "-"
        let text = String(decoding: try InputFile.bytes(path), as: UTF8.self)
        let target = try arguments["into"].map { try ModelEditing.items([$0], arguments)[0] }
        try ModelEditing.run(
            arguments, output,
            fitting: { document in
                let pasted = try PastedEdits(text, into: document, target: target)
                return (pasted.edits, pasted.notes)
            })
    }
}
