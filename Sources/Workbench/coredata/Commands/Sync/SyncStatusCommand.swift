import CoreDataBrowserServer
import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench

/// `sync status`: prints how a store stands with its peers.
struct SyncStatusCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "status"],
        summary:
            "Prints how a store stands with its peers: what each lacks, what waits, and the last error with its cure.",
        operands: [.store], options: [.folder, .model, .format([.table, .json])],
        details: [
            "A store is in sync if it waits for nothing, its last exchange succeeded, no item is unread, and each peer that takes part has "
                + "said that it has all that is here and nothing else.",
            "json is {\"identity\", \"inSync\", \"waiting\", \"transport\", \"lastExchange\", \"pendingObjects\", "
                + "\"incomingBytes\", \"outgoingBytes\", \"missingBytes\", \"absentValues\": [{\"object\", \"entity\", "
                + "\"attribute\", \"size\", \"fetched\"}], \"unsentValues\": [{\"entity\", \"attribute\", \"size\"}], \"refusedItems\", "
                + "\"refusedWrites\": [{\"date\", \"kind\", \"entity\", \"identity\", \"keys\"}], "
                + "\"lastFailure\": {\"date\", \"message\", \"cure\"}, \"peers\"}, with the peers as 'sync peers' prints them.",
            "Exit code 1 if the store is not in sync.",
        ])

    /// How many values that are not here are printed.
    private static let shownValues = 10
    /// How many refused writes are printed.
    private static let shownWrites = 10

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let status = try SyncedPlace(arguments, for: .inspecting).run { try await $0.status() }
        if arguments.format == .json {
            output.line(JSONWriter.lines(status.json))
        } else {
            print(status, output)
        }
        if !status.isInSync { throw ExitStatus(code: 1) }
    }

    private func print(_ status: SyncStatus, _ output: StandardOutput) {
        output.say(status.isInSync ? "in sync" : "not in sync")
        output.line("\(RunLanguage.text("peer")): \(status.identity)")
        output.line("\(RunLanguage.text("transport")): \(PrintableText.escaped(status.transport))")
        if status.isWaitingForState { output.say("waits for a peer that gives it the whole state") }
        if let last = status.lastExchange { output.say("last exchange: \(ISODate.text(last))") }
        if let pending = status.pendingObjects, pending > 0 {
            output.say("saved here and not sent yet: \(pending) objects")
        }
        if let incoming = status.incomingBytes {
            output.say("\(incoming) bytes to read, \(status.outgoingBytes) that not all peers have")
        } else {
            output.say("the transport cannot be reached")
        }
        if status.missingBytes > 0 { output.say("\(status.missingBytes) bytes of large values are not here yet") }
        if !status.absentValues.isEmpty {
            let size = status.absentValues.reduce(0) { $0 + $1.size }
            output.say("\(status.absentValues.count) large values of \(size) bytes come on demand and are not here")
        }
        for value in status.absentValues.prefix(Self.shownValues) {
            output.line("\(value.shortName).\(PrintableText.escaped(value.attribute))  \(value.size)")
        }
        for value in status.unsentValues {
            output.say(
                "'\(value.entity).\(value.attribute)' of one object has \(value.size) bytes: too many to be sent")
        }
        if !status.refusedItems.isEmpty { output.say("\(status.refusedItems.count) items are refused") }
        for write in status.refusedWrites.suffix(Self.shownWrites) { print(write, output) }
        if let failure = status.lastFailure {
            output.say(failure.message)
            if let cure = failure.cure { output.say(cure) }
        }
        SyncPeersCommand.print(status.peers, output)
    }

    private func print(_ write: SyncRefusedWrite, _ output: StandardOutput) {
        let name = PrintableText.escaped(write.entity)
        let sentence =
            switch write.kind {
            case .inserted: RunLanguage.text("an object of '\(name)' was inserted by this reader, and removed again")
            case .updated:
                RunLanguage.text(
                    "an object of '\(name)' was changed by this reader, and has its values of "
                        + "\(PrintableText.escaped(write.keys.joined(separator: ", "))) again")
            case .deleted: RunLanguage.text("an object of '\(name)' was deleted by this reader, and is there again")
            }
        output.line("\(ISODate.text(write.date))  \(sentence)")
    }
}

extension SyncStatus.AbsentValue {
    /// The object as commands name it.
    fileprivate var shortName: String {
        guard let uri else { return PrintableText.escaped(entity) }
        return PrintableText.escaped(uri.split(separator: "/").suffix(2).joined(separator: "/"))
    }
}
