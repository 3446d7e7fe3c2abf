import CoreDataExchange
import CoreDataPrinting
import CoreDataSyncing
import CoreDataWorkbench
import Foundation

/// `sync init`: makes a store take part in sync.
struct SyncInitCommand: Command {
    let syntax = CommandSyntax(
        name: ["sync", "init"],
        summary: "Makes a store take part in sync over a folder that peers share, over a hub, or with devices nearby.",
        operands: [.store],
        options: [
            Option("folder", value: "FOLDER|HUB", help: "The folder, or the address of a hub; the store keeps it."),
            Option("sealed", help: "Seal what is written: who reads the folder learns neither names nor contents."),
            Option(
                "pair", value: "TEXT",
                help: "Join a sealed folder by a text of 'sync pair'; - reads it from standard input."),
            Option(
                "code", help: "Join a sealed folder by comparing a code with a device that runs 'sync pair --code'."),
            Option(
                "peers", value: "TYPE",
                help: "Take part with devices nearby that name the same TYPE: 1 to 15 of a to z, 0 to 9 and hyphens."),
            Option("group", value: "NAME", help: "With --peers: which of several groups of one TYPE."),
            .device,
            Option("found", help: "Begin as the first peer, although the folder has items."),
            Option("join", help: "Wait for the state of the others, although the folder has no items yet."),
            Option("reader", help: "Only receive: what is saved here is taken back."),
            Option(
                "on-demand",
                help: "Get large values when they are asked for by 'sync fetch', rather than with what names them."),
            Option("create", help: "Make the store, which is not there, with --model: a new device begins so."), .model,
            .format([.table, .json]),
        ],
        details: [
            "The first store founds; the objects of each later one are merged with those of the others, and objects with equal values of "
                + "a uniqueness constraint become one. A store that joins waits for an exchange of a peer that takes part.",
            "The state of sync is kept in the store, in a table that Apple's framework ignores; beside a file lies STORE-sync, by which "
                + "copies and older states are noticed. From now on the store records persistent history.",
            "The address of a hub is https://HOST:PORT/GROUP#PIN, as 'sync serve' prints it. The key of this device is made when it is first "
                + "used, in $XDG_STATE_HOME/opencoredata/sync; a hub that does not admit it yet refuses it, and the error has the key's pin.",
            "With --peers the first device says --found and the others --join; 'sync run' then connects those that are near, and a code is "
                + "compared on both when two meet for the first time.",
            "The keys of a sealed folder are in $XDG_STATE_HOME/opencoredata/sync or ~/.local/state/opencoredata/sync, for this user alone, "
                + "and not in the store. A text holds the folder's path; --folder says where it is on this device.",
            "json is {\"identity\", \"waiting\"}.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        guard !(arguments.has("found") && arguments.has("join")) else {
            throw arguments.error("--found and --join exclude each other")
        }
        guard !(arguments.has("pair") && arguments.has("code")) else {
            throw arguments.error("--pair and --code exclude each other")
        }
        if arguments.has("create"), !arguments.has("model") { throw arguments.error("--create needs --model PATH") }
        let address = try SealedPlace.begin(arguments)
        if arguments.has("create") {
            try TemporaryStoreWriting(at: arguments.path(0), model: arguments.model).fill(keeping: { true }, { _ in })
        }
        let place = try SyncedPlace(arguments, folder: address)
        let isPaired = arguments["pair"] != nil || arguments.has("code")
        let beginning: SyncSession.Beginning? =
            arguments.has("found") ? .founding : arguments.has("join") || isPaired ? .joining : nil
        let status = try place.run { session in
            try await session.join(beginning)
            // A device that was not admitted yet cannot exchange; the status says so.
            if isPaired { _ = try? await session.exchange() } else { try await session.exchange() }
            return try await session.status()
        }
        if arguments.format == .json {
            return output.line(
                JSONWriter.line(
                    .object([("identity", .string(status.identity)), ("waiting", .bool(status.isWaitingForState))])))
        }
        output.say("takes part as peer \(status.identity)")
        if status.isWaitingForState { output.say("waits for a peer that gives it the whole state") }
        if isPaired, let failure = status.lastFailure {
            output.say(failure.message)
            if let cure = failure.cure { output.say(cure) }
        }
    }
}
