import CoreDataBrowserServer
import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync peers`: prints the peers.
struct SyncPeersCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "peers"], summary: "Prints the peers of a store, the store itself first.",
        operands: [.store], options: [.folder, .model, .format([.table, .json])],
        details: [
            "json is an array with a peer a line: {\"identity\", \"own\", \"reader\", \"retired\", \"lastSeen\", \"lacks\", \"isAheadBy\"}; the "
                + "last two count transactions."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let peers = try SyncedPlace(arguments, for: .inspecting).run { try await $0.status().peers }
        if arguments.format == .json { return output.list(peers.map(\.json)) }
        Self.print(peers, output)
    }

    static func print(_ peers: [SyncStatus.Peer], _ output: StandardOutput) {
        for peer in peers {
            let state = peer.isOwn ? "this store" : peer.isRetired ? "forgotten" : peer.isReader ? "reader" : "writer"
            let seen = peer.lastSeen.map { ISODate.text($0) } ?? "-"
            output.line(
                "\(peer.identity)  \(RunLanguage.text(state))  \(seen)  "
                    + RunLanguage.text("lacks \(peer.lacks), is ahead by \(peer.isAheadBy)"))
        }
    }
}
