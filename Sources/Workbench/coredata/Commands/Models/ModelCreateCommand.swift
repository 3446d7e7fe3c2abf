import CoreData
import CoreDataModelEditing
import CoreDataPrinting

/// `model create`: creates the source of an empty model.
struct ModelCreateCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "create"], summary: "Makes the source of an empty model, to be edited by the other commands.",
        operands: [CommandOperand(name: "PACKAGE", help: "The path of an .xcdatamodeld that is not there yet.")],
        options: [
            Option("version", value: "NAME", help: "The name of its version; that of the package without it.")
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        try Self.create(at: arguments.path(0), version: arguments["version"], arguments)
    }

    /// Creates a package with one empty version; without `version` this has the name of the package.
    static func create(at url: URL, version: String?, _ arguments: Arguments) throws {
        guard url.pathExtension == "xcdatamodeld" else {
            throw arguments.error("the path of a new model ends in .xcdatamodeld")
        }
        _ = try SourcePackage.create(
            at: url, version: version ?? url.deletingPathExtension().lastPathComponent,
            document: ModelDocument.describing(NSManagedObjectModel()).document)
    }
}
