import CoreDataExchange
import CoreDataPrinting
import CoreDataWorkbench

/// `model hash`: prints the version hashes of a model.
struct ModelHashCommand: Command {
    let syntax = CommandSyntax(
        name: ["model", "hash"],
        summary: "Prints a model's checksum and the version hash of each entity, as stores carry them.",
        operands: [.modelOrStore], options: [.format([.table, .json])],
        details: ["Of a model with several versions the current one is read; give the path of a version for another."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let version = try SwiftModels.origin(at: arguments.path(0)).version()
        if arguments.format == .json { return output.line(JSONWriter.lines(version.hashReport)) }
        output.line("checksum  \(version.model.versionChecksum)\n")
        var table = TextTable([.init(label: "ENTITY"), .init(label: "HASH")], limit: Terminal.width)
        for (name, hash) in version.model.entityVersionHashesByName.sorted(by: { $0.key < $1.key }) {
            table.add([PrintableText.escaped(name), hash.base64EncodedString()], to: output)
        }
        table.finish(output)
    }
}
