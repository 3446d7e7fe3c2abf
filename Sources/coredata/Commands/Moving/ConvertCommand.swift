import CoreDataInspection

/// `convert`: a store as one of another kind.
struct ConvertCommand: Command {
    let syntax = CommandSyntax(
        name: ["convert"],
        summary: "Copies a store to another kind, or to JSON; tells on standard error what the copy does not have.",
        operands: [.store],
        options: [
            Option(
                "to", value: "KIND",
                help: "The kind: " + (StoreKindName.known.keys.sorted() + ["json"]).joined(separator: ", ") + "."),
            Option("output", letter: "o", value: "FILE", help: "The path of the copy, where there is nothing yet."),
            .model,
        ],
        details: ["The store stays as it is. The copy gets its name when it is whole."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard let name = arguments["to"] else { throw arguments.error("--to KIND is missing") }
        let place = try arguments.output()
        if name.lowercased() == "json" { return try export(arguments, to: place) }
        let type = try StoreKindName.type(named: name, besides: ["json"])
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .exporting)
        store.reportProblems()
        let conversion = try StoreConversion(store, to: type, at: place)
        for loss in conversion.losses { StandardError.write("\(Release.name): \(loss)") }
        let bar = ProgressBar("converting")
        defer { bar.finish() }
        try OutputFile.leavingNothing { try conversion.run { bar.update($0, of: $1) } }
    }

    private func export(_ arguments: Arguments, to place: URL) throws {
        let store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .exporting)
        store.reportProblems()
        try StorePlace.requireFree(place)
        StandardError.write("\(Release.name): The persistent history and the store's metadata are not copied.")
        let warnings = Warnings()
        defer { warnings.finish() }
        try OutputFile.leavingNothing {
            let file = try OutputFile(place.path)
            let bar = ProgressBar("exporting")
            _ = try StoreExport(store).write(
                as: .json, failures: warnings.add, progress: { bar.update($0) }, to: { try file.write($0) })
            bar.finish()
            try file.finish()
        }
    }
}
