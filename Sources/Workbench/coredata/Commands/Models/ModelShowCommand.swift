import CoreDataExchange
import CoreDataPrinting
import CoreDataWorkbench

/// `model show`: prints the entities, properties, indexes and constraints of a model.
struct ModelShowCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "show"], summary: "Prints the entities of a model with all their properties.",
        operands: [.modelOrStore], options: [.format([.table, .json])],
        details: ["Of a model with several versions the current one is read; give the path of a version for another."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let origin = try SwiftModels.origin(at: arguments.path(0))
        let version = try origin.version()
        if arguments.format == .json { return output.line(JSONWriter.lines(version.report)) }
        ModelPrinter(output: output, width: Terminal.width).print(version, of: origin)
    }
}
