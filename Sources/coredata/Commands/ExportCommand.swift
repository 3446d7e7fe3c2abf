import CoreDataInspection

/// `export`: objects of a store as files that `import` takes.
struct ExportCommand: Command {
    let syntax = CommandSyntax(
        name: ["export"],
        summary: "Writes the objects of a store, or of some entities, as they are at one moment.",
        operands: [
            .store,
            Operand(
                name: "ENTITY", help: "An entity, with its sub-entities; all of the store unless one is named.",
                isRepeated: true, isOptional: true),
        ],
        options: [
            Option(
                "to", value: "json|jsonl",
                help: "The form: one array of JSON, or an object a line, which is the one unless told otherwise.",
                choices: ["json", "jsonl"]),
            Option(
                "output", letter: "o", value: "FILE",
                help: "Where to write; it gets its name when it is whole. Without it standard output."),
            .where,
            Option("keys", value: "A,B", help: "The properties to write. Without it all that are stored."), .model,
        ],
        details: [
            "An object is {\"objectID\", \"entity\", \"attributes\", \"relationships\"}. Every value comes back exactly: dates "
                + "are ISO 8601 in UTC with as many digits as they need (or @ and seconds since 2001), data and what "
                + "transformers made are the stored bytes in base64, decimals are texts.",
            "A link is written once: at the to-one end, or at one of two to-many ends. Ordered relationships are written "
                + "whole. Derived and transient properties are made anew by an import.",
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
        guard let path = arguments["output"], path != "-" else {
            _ = try export.write(as: format, failures: warnings.add) { bytes in
                output.write(bytes)
                try output.check()
            }
            return
        }
        try OutputFile.leavingNothing {
            let file = try OutputFile(path)
            let bar = ProgressBar("exporting", of: isatty(STDERR_FILENO) == 1 ? try export.count() : 0)
            let count = try export.write(
                as: format, failures: warnings.add, progress: { bar.update($0) }, to: { try file.write($0) })
            bar.finish()
            try file.finish()
            output.line("exported \(Count.objects(count))")
        }
    }
}
