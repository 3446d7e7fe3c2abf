import CoreDataInspection
import CoreDataModelEditing

/// `model create`: an empty model.
struct ModelCreateCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "create"], summary: "Makes the source of an empty model, to be edited by the other commands.",
        operands: [Operand(name: "PACKAGE", help: "The path of an .xcdatamodeld that is not there yet.")],
        options: [
            Option("version", value: "NAME", help: "The name of its version; that of the package without it.")
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let url = arguments.path(0)
        guard url.pathExtension == "xcdatamodeld" else {
            throw arguments.error("PACKAGE ends in .xcdatamodeld")
        }
        let name = arguments["version"] ?? url.deletingPathExtension().lastPathComponent
        _ = try SourcePackage.create(
            at: url, version: name, document: ModelDocument.describing(NSManagedObjectModel()).document)
    }
}
