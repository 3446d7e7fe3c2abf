import CoreDataModelEditing
import CoreDataPrinting
import CoreDataWorkbench

/// `model options`: lists the options of an item of a model, and their values.
struct ModelOptionsCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "options"],
        summary: "Lists the items of a model's source, or the options of one of them with their values.",
        operands: [
            ModelEditing.operand,
            CommandOperand(
                name: "ITEM", help: ModelEditing.item.help + " All items are listed without it.", isOptional: true),
        ],
        options: [ModelEditing.version, .format([.table, .json])],
        details: ["A value in brackets is not in the source: it is what the source means by saying nothing."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let document = try ModelSourceFile(at: arguments.path(0), version: arguments["version"]).document()
        guard arguments.operands.count > 1 else { return try list(document, arguments: arguments, output: output) }
        let item = try ModelEditing.items([arguments.operands[1]], arguments)[0]
        let options = try document.options(of: item)
        guard arguments.format != .json else {
            return output.list(
                options.map { option, value, isStated in
                    .object([
                        ("name", .string(option.name)), ("attribute", .string(option.attribute)),
                        ("value", .text(value)), ("isStated", .bool(isStated)), ("takes", .string(option.valueText)),
                    ])
                })
        }
        var table = TextTable(["OPTION", "VALUE", "TAKES", "MEANING"].map { .init(title: $0) }, limit: Terminal.width)
        for (option, value, isStated) in options {
            let shown = value.map { isStated ? $0 : "(\($0))" } ?? ""
            table.add(
                [option.name, shown, option.valueText, option.summary].map { PrintableText.escaped($0) }, to: output)
        }
        table.finish(output)
        let parts = try document.kind(of: item).parts.map(\.rawValue)
        if !parts.isEmpty { output.line("can be added: " + parts.joined(separator: ", ")) }
    }

    private func list(_ document: ModelDocument, arguments: Arguments, output: StandardOutput) throws {
        let items = try document.items.map { ($0, try document.kind(of: $0)) }
        guard arguments.format != .json else {
            return output.list(
                items.map { .object([("item", .string("\($0)")), ("kind", .string($1.rawValue))]) })
        }
        var table = TextTable([.init(label: "KIND"), .init(label: "ITEM")], limit: Terminal.width)
        for (item, kind) in items { table.add([kind.rawValue, PrintableText.escaped("\(item)")], to: output) }
        table.finish(output)
    }
}
