import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync compact`: forgets what all peers have.
struct SyncCompactCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "compact"],
        summary:
            "Exchanges, forgets what all peers have, and makes few items of the many that a store has on its transport.",
        operands: [.store], options: [.folder, .model, .format([.table, .json])],
        details: [
            "What a peer lacks stays until it exchanges or is forgotten: see 'sync peers' and 'sync forget'. Each peer removes the items "
                + "that it wrote itself.",
            "json is {\"items\", \"bytes\", \"transactions\", \"deletedObjects\"}, each {\"before\", \"after\"}; the first two count what is "
                + "on the transport, the others what the store keeps for its peers.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let done = try SyncedPlace(arguments).run { try await $0.compact() }
        guard arguments.format == .table else {
            func pair(_ before: Int, _ after: Int) -> JSONValue {
                .object([("before", .count(before)), ("after", .count(after))])
            }
            return output.line(
                JSONWriter.line(
                    .object([
                        ("items", pair(done.itemsBefore, done.itemsAfter)),
                        ("bytes", pair(done.bytesBefore, done.bytesAfter)),
                        ("transactions", pair(done.transactionsBefore, done.transactionsAfter)),
                        ("deletedObjects", pair(done.deletedObjectsBefore, done.deletedObjectsAfter)),
                    ])))
        }
        output.say("items on the transport: \(done.itemsBefore) before, \(done.itemsAfter) after")
        output.say("bytes on the transport: \(done.bytesBefore) before, \(done.bytesAfter) after")
        output.say("transactions in the log: \(done.transactionsBefore) before, \(done.transactionsAfter) after")
        output.say("kept deletions: \(done.deletedObjectsBefore) before, \(done.deletedObjectsAfter) after")
    }
}
