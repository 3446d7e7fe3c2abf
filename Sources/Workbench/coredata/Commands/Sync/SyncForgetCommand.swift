import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync forget`: lets a peer take part no longer.
struct SyncForgetCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "forget"],
        summary: "Lets a peer take part no longer: nothing waits for it, and what it still writes is refused.",
        operands: [
            .store, CommandOperand(name: "PEER", help: "The 16 digits of the peer, as 'sync peers' prints them."),
        ],
        options: [.folder, .model],
        details: [
            "A peer that exchanges later is given the whole state, and goes on under another identity; what it has saved until then is merged."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let peer = arguments.operands[1]
        try SyncedPlace(arguments).run { try await $0.forget(peer) }
        output.say("peer \(peer) takes part no longer")
    }
}
