import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench
import Foundation

/// What the commands of `sync` share: the store with its session, and how they wait for it.
struct SyncedPlace {
    let store: OpenStore
    let session: SyncSession

    /// Opens a store that takes part, or is to with a folder.
    ///
    /// - Throws: `InspectionError`, and `UsageError` if the folder is missing.
    init(_ arguments: Arguments, folder given: String? = nil) throws {
        store = try OpenStore(at: arguments.path(0), model: arguments.model, for: .syncing)
        do {
            let address = try given ?? arguments["folder"] ?? SyncSession.address(of: store.store)
            guard let address else { throw SyncError(.notJoined, "The store takes no part in sync yet.", cure: Self.cure) }
            var options = SyncOptions()
            options.isReader = arguments.has("reader")
            let transport = FolderTransport(URL(fileURLWithPath: address))
            session = try SyncSession(store.store, over: transport, options: options)
        } catch {
            store.close()
            throw Self.error(error, store)
        }
        store.reportProblems()
    }

    private static let cure = "Run 'coredata sync init STORE --folder FOLDER'."

    /// Carries out what the session does, and closes the store.
    func run<Result: Sendable>(_ body: @escaping @Sendable (SyncSession) async throws -> Result) throws -> Result {
        defer { store.close() }
        let session = session
        let box = SyncOutcome<Result>()
        Task {
            do { box.set(.success(try await body(session))) } catch { box.set(.failure(error)) }
        }
        do { return try box.wait() } catch { throw Self.error(error, store) }
    }

    private static func error(_ error: any Error, _ store: OpenStore) -> any Error {
        guard let error = error as? SyncError else { return error }
        return InspectionError(
            .unreadable, subject: store.facts.url.place, cause: error.description.droppingFullStop,
            hint: error.cure.droppingFullStop)
    }
}

/// The result of an asynchronous call for a thread that waits for it.
private final class SyncOutcome<Success: Sendable>: @unchecked Sendable {
    // Set before the semaphore is signalled, and read after it.
    private var result: Result<Success, any Error>?
    private let isDone = DispatchSemaphore(value: 0)

    func set(_ result: Result<Success, any Error>) {
        self.result = result
        isDone.signal()
    }

    func wait() throws -> Success {
        isDone.wait()
        guard let result else { throw CancellationError() }
        return try result.get()
    }
}

extension String {
    fileprivate var droppingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension Option {
    static let folder = Option(
        "folder", value: "FOLDER", help: "The folder that the peers share, instead of the one that the store keeps.")
}

/// `sync init`: makes a store take part in sync.
struct SyncInitCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "init"],
        summary: "Makes a store take part in sync over a folder that peers share.",
        operands: [.store],
        options: [
            Option("folder", value: "FOLDER", help: "The folder; the store keeps its path."),
            Option("found", help: "Begin as the first peer, although the folder has items."),
            Option("join", help: "Wait for the state of the others, although the folder has no items yet."),
            Option("reader", help: "Only receive: what is saved here is taken back."),
            .model, .format([.table, .json]),
        ],
        details: [
            "The first store founds; the objects of each later one are merged with those of the others, and objects with equal values of "
                + "a uniqueness constraint become one. A store that joins waits for an exchange of a peer that takes part.",
            "The state of sync is kept in the store, in a table that Apple's framework ignores; beside a file lies STORE-sync, by which "
                + "copies and older states are noticed. From now on the store records persistent history.",
            "json is {\"identity\", \"waiting\"}.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard let folder = arguments["folder"] else { throw arguments.error("--folder FOLDER is missing") }
        guard !(arguments.has("found") && arguments.has("join")) else {
            throw arguments.error("--found and --join exclude each other")
        }
        let path = URL(fileURLWithPath: folder).standardizedFileURL.path
        let place = try SyncedPlace(arguments, folder: path)
        let beginning: SyncSession.Beginning? = arguments.has("found") ? .founding : arguments.has("join") ? .joining : nil
        let status = try place.run { session in
            try await session.join(beginning)
            try await session.exchange()
            return try await session.status()
        }
        if arguments.format == .json {
            return output.line(
                JSONWriter.line(
                    .object([("identity", .string(status.identity)), ("waiting", .bool(status.isWaitingForState))])))
        }
        output.say("takes part as peer \(status.identity)")
        if status.isWaitingForState { output.say("waits for a peer that gives it the whole state") }
    }
}

/// `sync now`: exchanges once.
struct SyncNowCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "now"],
        summary: "Captures what was saved in a store, applies what its peers wrote, and writes what they lack.",
        operands: [.store],
        options: [
            .folder,
            Option("compare", help: "Compare all objects with what was last known, for edits that the history does not have."),
            .model, .format([.table, .json]),
        ],
        details: [
            "An exchange that is broken off loses nothing: the next one goes on. Items that are damaged are refused once, and left in "
                + "the folder.",
            "json is {\"inserted\", \"updated\", \"deleted\", \"readBytes\", \"writtenBytes\", \"refused\": [{\"item\", \"reason\"}], "
                + "\"reports\"}.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let isComparing = arguments.has("compare")
        let summary = try SyncedPlace(arguments).run { try await $0.exchange(comparing: isComparing) }
        for refusal in summary.refused {
            StandardError.write(
                "\(Release.name): warning: \(PrintableText.escaped(refusal.item)): refused: \(refusal.reason)")
        }
        guard arguments.format == .table else {
            let refused = summary.refused.map {
                JSONValue.object([("item", .string($0.item)), ("reason", .string($0.reason))])
            }
            return output.line(
                JSONWriter.line(
                    .object([
                        ("inserted", .count(summary.inserted)), ("updated", .count(summary.updated)),
                        ("deleted", .count(summary.deleted)), ("readBytes", .count(summary.readBytes)),
                        ("writtenBytes", .count(summary.writtenBytes)), ("refused", .array(refused)),
                        ("reports", .array(summary.reports.map { .string($0) })),
                    ])))
        }
        output.say("\(summary.inserted) inserted, \(summary.updated) updated, \(summary.deleted) deleted here")
        output.say("\(summary.readBytes) bytes read, \(summary.writtenBytes) written")
        for report in summary.reports { output.say(report) }
    }
}

/// `sync status`: prints how a store stands with its peers.
struct SyncStatusCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "status"],
        summary: "Prints how a store stands with its peers: what each lacks, what waits, and the last error with its cure.",
        operands: [.store], options: [.folder, .model, .format([.table, .json])],
        details: [
            "A store is in sync if it waits for nothing, its last exchange succeeded, no item is unread, and each peer that takes part has "
                + "said that it has all that is here and nothing else.",
            "json is {\"identity\", \"inSync\", \"waiting\", \"transport\", \"incomingBytes\", \"outgoingBytes\", \"refusedItems\", "
                + "\"lastFailure\": {\"date\", \"message\", \"cure\"}, \"peers\"}, with the peers as 'sync peers' prints them.",
            "Exit code 1 if the store is not in sync.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let status = try SyncedPlace(arguments).run { try await $0.status() }
        if arguments.format == .json {
            output.line(JSONWriter.lines(Self.json(status)))
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
        if let incoming = status.incomingBytes {
            output.say("\(incoming) bytes to read, \(status.outgoingBytes) that not all peers have")
        } else {
            output.say("the transport cannot be reached")
        }
        if !status.refusedItems.isEmpty { output.say("\(status.refusedItems.count) items are refused") }
        if let failure = status.lastFailure {
            output.say(failure.message)
            if let cure = failure.cure { output.say(cure) }
        }
        SyncPeersCommand.print(status.peers, output)
    }

    private static func json(_ status: SyncStatus) -> JSONValue {
        let failure = status.lastFailure.map { failure in
            JSONValue.object([
                ("date", .string(ISODate.text(failure.date))), ("message", .string(failure.message)),
                ("cure", failure.cure.map { .string($0) } ?? .null),
            ])
        }
        return .object([
            ("identity", .string(status.identity)), ("inSync", .bool(status.isInSync)),
            ("waiting", .bool(status.isWaitingForState)), ("transport", .string(status.transport)),
            ("incomingBytes", status.incomingBytes.map { .count($0) } ?? .null),
            ("outgoingBytes", .count(status.outgoingBytes)),
            ("refusedItems", .array(status.refusedItems.map { .string($0) })), ("lastFailure", failure ?? .null),
            ("peers", .array(status.peers.map(SyncPeersCommand.json))),
        ])
    }
}

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
        let peers = try SyncedPlace(arguments).run { try await $0.status().peers }
        if arguments.format == .json { return output.list(peers.map(Self.json)) }
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

    static func json(_ peer: SyncStatus.Peer) -> JSONValue {
        .object([
            ("identity", .string(peer.identity)), ("own", .bool(peer.isOwn)), ("reader", .bool(peer.isReader)),
            ("retired", .bool(peer.isRetired)), ("lastSeen", peer.lastSeen.map { .string(ISODate.text($0)) } ?? .null),
            ("lacks", .count(peer.lacks)), ("isAheadBy", .count(peer.isAheadBy)),
        ])
    }
}

/// `sync forget`: lets a peer take part no longer.
struct SyncForgetCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "forget"],
        summary: "Lets a peer take part no longer: nothing waits for it, and what it still writes is refused.",
        operands: [.store, CommandOperand(name: "PEER", help: "The 16 digits of the peer, as 'sync peers' prints them.")],
        options: [.folder, .model],
        details: [
            "A peer that exchanges later is given the whole state, and goes on under another identity; what it had saved meanwhile is merged."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let peer = arguments.operands[1]
        try SyncedPlace(arguments).run { try await $0.forget(peer) }
        output.say("peer \(peer) takes part no longer")
    }
}

/// `sync why`: prints who wrote the value of an attribute.
struct SyncWhyCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "why"],
        summary: "Prints who wrote the value of an attribute of an object, when, which rule chose it, and what lost.",
        operands: [
            .store, CommandOperand(name: "ENTITY/pN", help: "The object, as 'fetch' and 'history' print it."),
            CommandOperand(name: "ATTRIBUTE", help: "The attribute; of an element of a composite its path."),
        ],
        options: [.folder, .model, .format([.table, .json])],
        details: [
            "json is {\"entity\", \"attribute\", \"rule\", \"value\", \"writes\": [{\"peer\", \"date\", \"value\", \"chosen\"}], \"objects\"}, "
                + "with the values as text. A value that lost is put back with 'set'."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let place = try SyncedPlace(arguments)
        let identifier: NSManagedObjectID
        do { identifier = try place.store.withObject(at: arguments.operands[1]) { $0.id } } catch {
            place.store.close()
            throw error
        }
        let attribute = arguments.operands[2]
        let found = try place.run { try await $0.why(identifier, attribute) }
        guard arguments.format == .table else { return output.line(JSONWriter.lines(Self.json(found))) }
        output.line("\(RunLanguage.text("rule")): \(found.rule)")
        for write in found.writes {
            let text = PrintableText.escaped(write.value ?? "null")
            output.line(
                "\(RunLanguage.text(write.isChosen ? "chosen" : "lost"))  \(write.peer)  \(ISODate.text(write.date))  \(text)")
        }
    }

    private static func json(_ found: SyncExplanation) -> JSONValue {
        let writes = found.writes.map { write in
            JSONValue.object([
                ("peer", .string(write.peer)), ("date", .string(ISODate.text(write.date))),
                ("value", write.value.map { .string($0) } ?? .null), ("chosen", .bool(write.isChosen)),
            ])
        }
        return .object([
            ("entity", .string(found.entity)), ("attribute", .string(found.attribute)), ("rule", .string(found.rule)),
            ("value", found.value.map { .string($0) } ?? .null), ("writes", .array(writes)),
            ("objects", .array(found.objects.map { .string($0) })),
        ])
    }
}
