import CoreDataPrinting
import CoreDataRepair

/// `reset`: removes a store, or the data of an application.
struct ResetCommand: Command {
    let syntax = CommandSyntax(
        name: ["reset"],
        summary:
            "Removes a store with all that belongs to it, or the stores, caches and settings of a program, after asking.",
        operands: [CommandOperand(name: "STORE", help: "The path of a store.", isOptional: true)],
        options: [
            Option(
                "identifier", value: "ID",
                help:
                    "The identifier of a program, or the name of its executable: what NSPersistentContainer names its folder."
            ),
            Option("yes", help: "Do not ask."), .dryRun,
        ],
        details: [
            "What would be removed is listed first. It asks on a terminal, and elsewhere does nothing without --yes. A store "
                + "that another program has open is refused."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard arguments.operands.isEmpty == arguments.has("identifier") else {
            throw arguments.error("one of STORE and --identifier ID is needed")
        }
        let reset =
            try arguments["identifier"].map { try AppReset(identifier: $0) } ?? AppReset(storeAt: arguments.path(0))
        guard !reset.items.isEmpty else { return output.say("there is nothing to remove") }
        for item in reset.items {
            output.say("\(item.kind): \(PrintableText.escaped(item.url.path)), \(item.size) bytes")
        }
        if arguments.mode == .dryRun { return output.say("nothing was removed") }
        try output.flush()
        guard try Confirmation.isGiven(arguments, question: "Remove all of this?") else {
            return output.say("nothing was removed")
        }
        try reset.run()
        output.say("removed")
    }
}
