import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync contents`: lists what the transport has of each peer.
struct SyncContentsCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "contents"],
        summary:
            "Lists what the folder or the hub of a store has of each peer: items, and the bytes of logs and states.",
        operands: [.store], options: [.folder, .model, .format([.table, .json])],
        details: [
            "'sync compact' removes what all peers have, and 'sync forget --delete' what a peer wrote.",
            "json is {\"transport\", \"bytes\", \"peers\": [{\"identity\", \"state\", \"items\", \"logBytes\", \"stateBytes\", "
                + "\"otherBytes\"}], \"otherItems\"}, with the states own, member, forgotten and unknown.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let contents = try SyncedPlace(arguments, for: .inspecting).run { try await $0.contents() }
        guard arguments.format == .table else { return output.line(JSONWriter.lines(Self.json(contents))) }
        output.line("\(RunLanguage.text("transport")): \(PrintableText.escaped(contents.transport))")
        var table = TextTable(
            [
                .init(label: "PEER"), .init(label: "KIND"), .init(label: "ITEMS", isNumber: true),
                .init(label: "LOGS", isNumber: true), .init(label: "STATES", isNumber: true),
                .init(label: "OTHERS", isNumber: true),
            ], limit: Terminal.width)
        for peer in contents.peers {
            table.add(
                [
                    peer.identity, RunLanguage.text(Self.name(peer.state)), "\(peer.items)", "\(peer.logBytes)",
                    "\(peer.stateBytes)", "\(peer.otherBytes)",
                ], to: output)
        }
        table.finish(output)
        for name in contents.otherItems { output.say("'\(PrintableText.escaped(name))' does not say who wrote it") }
        output.say("\(contents.bytes) bytes in all")
    }

    private static func name(_ state: SyncContents.Peer.State) -> String {
        switch state {
        case .own: "this store"
        case .member: "takes part"
        case .forgotten: "forgotten"
        case .unknown: "unknown"
        }
    }

    private static func json(_ contents: SyncContents) -> JSONValue {
        let peers = contents.peers.map { peer in
            JSONValue.object([
                ("identity", .string(peer.identity)), ("state", .string(peer.state.rawValue)),
                ("items", .count(peer.items)), ("logBytes", .count(peer.logBytes)),
                ("stateBytes", .count(peer.stateBytes)), ("otherBytes", .count(peer.otherBytes)),
            ])
        }
        return .object([
            ("transport", .string(contents.transport)), ("bytes", .count(contents.bytes)), ("peers", .array(peers)),
            ("otherItems", .array(contents.otherItems.map { .string($0) })),
        ])
    }
}
