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
        options: [
            .folder, Option("delete", help: "Remove what the peer wrote from the folder or the hub as well."), .model,
        ],
        details: [
            "A peer that exchanges later is given the whole state, and goes on under another identity; what it has saved until then is merged.",
            "With --delete what others lack of the peer is written once more by this store; what no other has read is lost. A peer that "
                + "takes part no longer may be named as well, and one that 'sync contents' lists and that never took part.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let peer = arguments.operands[1]
        guard arguments.has("delete") else {
            try SyncedPlace(arguments).run { try await $0.forget(peer) }
            return output.say("peer \(peer) takes part no longer")
        }
        let removed = try SyncedPlace(arguments).run { session in
            let known = try await session.status().peers.first { $0.identity == peer }
            let isThere = try await session.contents().peers.contains { $0.identity == peer }
            if known.map({ !$0.isRetired }) ?? !isThere { try await session.forget(peer) }
            return try await session.removeItems(of: peer)
        }
        output.say("peer \(peer) takes part no longer")
        output.say("\(removed) bytes removed")
    }
}
