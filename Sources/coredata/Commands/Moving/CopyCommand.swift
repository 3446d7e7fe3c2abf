import CoreDataInspection

/// `copy`: a store as it is at one moment, at another place.
struct CopyCommand: Command {
    let syntax = CommandSyntax(
        name: ["copy"],
        summary: "Copies a store as it is at one moment, though others may be writing to it, with its large values.",
        operands: [.store],
        options: [
            Option("output", letter: "o", value: "NEW", help: "The path of the copy, where there is nothing yet.")
        ],
        details: [
            "The copy has the identity of the store, its history and what is in its log, and needs no model. It gets its name "
                + "when it is whole."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let place = try arguments.output()
        let duplicate = try StoreDuplicate(of: StoreFacts(at: arguments.path(0)), at: place)
        try OutputFile.leavingNothing { try ProgressBar.timing("copying") { try duplicate.run() } }
    }
}
