import CoreDataExchange
import CoreDataJobs
import CoreDataPrinting
import CoreDataWorkbench

/// `copy`: copies a store to another place, as the same type of store or another one.
struct CopyCommand: Command {
    let syntax = CommandSyntax(
        name: ["copy"],
        summary: "Copies a store as it is at one moment, to a file or a server, with the keys of its objects.",
        operands: [
            .store,
            CommandOperand(
                name: "NEW",
                help:
                    "The path of the copy, where there is nothing yet, or a postgresql:// URL, whose schema has no store."
            ),
        ],
        options: [
            Option(
                "to", value: "KIND",
                help: "The kind of a copy in a file: " + StoreKindName.known.keys.sorted().joined(separator: ", ")
                    + ". Without it the kind that the end of its name says, or that of the store."),
            Option(
                "lossy",
                help:
                    "Copies values that the copy cannot hold as near as it can, and lists them. Without it they are refused "
                    + "before anything is written."),
            Option(
                "history",
                help:
                    "Takes the persistent history along, between SQLite files and servers; its transactions get other numbers, so that "
                    + "no token of the store is good for the copy. A copy of the same kind in a file has it anyway."),
            Option("restart", help: "Removes what an unfinished copy has left at the place, and starts again."), .model,
            .progress, .noProgress,
        ],
        details: [
            "A copy of the same kind in a file is the same store: with its identity, its history and what is in its log, and "
                + "needs no model. Any other has an identity of its own.",
            "Others may be writing to the store. A copy from or to a server that was ended goes on when the same command is "
                + "given again; until it is finished it cannot be opened.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let (origin, place) = (arguments.path(0), arguments.path(1))
        let facts = try StoreFacts(at: origin)
        let type = try kind(of: place, arguments["to"], unless: facts.type)
        guard type != facts.type || !place.isFileURL else {
            let copy = try StoreFileCopy(of: facts, at: place)
            return try OutputFile.leavingNothing { try arguments.progress("copying").showing { _ in try copy.run() } }
        }
        let store = try OpenStore(at: origin, model: arguments.model, for: .exporting)
        store.reportProblems()
        let copy = try StoreCopy(store, to: type, at: place, takingHistory: arguments.has("history"))
        let losses = copy.losses
        let note = { (text: String) in StandardError.write("\(Release.name): \(text)") }
        try arguments.progress("copying").showing { line in
            try OutputFile.leavingNothing {
                try copy.run(
                    lossy: arguments.has("lossy"), restarting: arguments.has("restart"),
                    note: {
                        line.clear()
                        note($0)
                    }, progress: { line.update(Int64($0), of: Int64($1)) })
            }
        }
        losses.forEach(note)
    }

    private func kind(
        of place: URL, _ name: String?, unless own: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore.StoreType {
        guard place.isFileURL else { return try StoreKindName.type(named: "postgresql") }
        if let name { return try StoreKindName.type(named: name) }
        if let type = StoreKindName.type(ofFile: place) { return type }
        return own.rawValue == "PostgreSQL" ? .sqlite : own
    }
}
