import CoreDataExchange
import CoreDataJobs
import CoreDataWorkbench

/// `export`: writes objects of a store to files that `import` can read.
struct ExportCommand: Command {
    let syntax = CommandSyntax(
        name: ["export"],
        summary: "Writes the objects of a store, or of some entities, as they are at one moment.",
        operands: [
            .store,
            CommandOperand(
                name: "ENTITY", help: "An entity, with its sub-entities; all of the store unless one is named.",
                isRepeated: true, isOptional: true),
        ],
        options: [
            Option(
                "to", value: "json|jsonl|csv",
                help:
                    "The form: one array of JSON; an object a line, which is the one by default; or tables.",
                choices: ["json", "jsonl", "csv"]),
            Option(
                "output", letter: "o", value: "FILE|FOLDER",
                help:
                    "Where to write; a file gets its name when it is whole. Tables of several entities go into a folder, a "
                    + "file an entity. Without it standard output."),
            .where,
            Option("keys", value: "A,B", help: "The properties to write. Without it all that are stored."), .model,
            .progress, .noProgress,
        ],
        details: [
            "An object is {\"objectID\", \"entity\", \"attributes\", \"relationships\"}. Every value comes back exactly: dates "
                + "are ISO 8601 in UTC with as many digits as they need (or @ and seconds since 2001), data and what "
                + "transformers made are the stored bytes in base64, decimals are texts.",
            "A link is written once: at the to-one end, or at one of two to-many ends. Ordered relationships are written "
                + "whole. Derived and transient properties are rebuilt by an import.",
            "In tables a composite attribute has a column an element, such as color.red, which --keys can name too.",
            "A value that cannot be read is null, and a line on standard error says why.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let keys = arguments["keys"].map { ObjectQuery.list($0) }
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .exporting)
        store.reportProblems()
        let warnings = Warnings()
        defer { warnings.finish() }
        let format: ListFormat = arguments["to"] == "json" ? .json : .jsonLines
        let export = try StoreExport(
            store, entities: Array(arguments.operands.dropFirst()), where: arguments["where"], keys: keys)
        if arguments["to"] == "csv" {
            return try writeTables(export, arguments: arguments, output: output, warnings: warnings)
        }
        guard let path = arguments["output"], path != "-" else {
            _ = try export.write(as: format, failures: warnings.add) { bytes in
                output.write(bytes)
                try output.check()
            }
            return
        }
        try OutputFile.leavingNothing {
            let file = try OutputFile(path)
            let count = try arguments.progress("exporting").showing { line in
                if arguments.showsProgress { line.update(0, of: Int64(try export.count())) }
                return try export.write(
                    as: format, failures: warnings.add, progress: { line.update(Int64($0)) }, to: { try file.write($0) }
                )
            }
            try file.finish()
            output.line("exported \(Count.objects(count))")
        }
    }

    /// Writes one table to a file or standard output, or a file for each entity into a folder.
    private func writeTables(
        _ export: StoreExport, arguments: Arguments, output: StandardOutput, warnings: Warnings
    ) throws {
        let isOneTable = arguments.operands.count == 2
        guard let path = arguments["output"], path != "-" else {
            guard isOneTable else {
                throw arguments.error("tables of several entities need a folder: -o FOLDER", hint: "or name one entity")
            }
            _ = try export.writeTables(
                isOneTable: true, failures: warnings.add, begin: { _ in },
                to: { bytes in
                    output.write(bytes)
                    try output.check()
                })
            return
        }
        try OutputFile.leavingNothing {
            if !isOneTable { try OutputFile.makeFolder(path) }
            var files: [OutputFile] = []
            let count = try arguments.progress("exporting").showing { line in
                if arguments.showsProgress { line.update(0, of: Int64(try export.count())) }
                return try export.writeTables(
                    isOneTable: isOneTable, failures: warnings.add, progress: { line.update(Int64($0)) },
                    begin: { name in
                        try files.last?.flush()
                        let place = URL(fileURLWithPath: path).appendingPathComponent(name).path + ".csv"
                        files.append(try OutputFile(isOneTable ? path : place))
                    }, to: { try files.last?.write($0) })
            }
            for file in files { try file.finish() }
            output.line("exported \(Count.objects(count))" + (isOneTable ? "" : " in \(files.count) tables"))
        }
    }
}
