import CoreDataMedia
import CoreDataPrinting
import CoreDataWorkbench
import Foundation

/// `library player`: shows and changes a player that is stored as a value.
struct LibraryPlayerCommand: Command {
    let syntax = CommandSyntax(
        name: ["library", "player"],
        summary: "Shows and changes the queue and the state of a stored player of a media library.",
        operands: [
            CommandOperand(
                name: "ACTION",
                help:
                    "show (by default), queue, add, insert, move, remove, select, play, pause, stop, next, previous, repeat or shuffle.",
                isOptional: true),
            CommandOperand(
                name: "WORD",
                help:
                    "The places FROM and TO after move, a place after remove and select, none, one or all after repeat, "
                    + "off, songs or albums after shuffle, a playlist after queue, add and insert.",
                isRepeated: true, isOptional: true),
        ],
        options: [
            LibraryPlace.option,
            Option("player", value: "PATH", help: "The file of the player, in JSON; beside the store by default."),
        ] + LibrarySelection.options + [.format([.table, .json])],
        details: [
            "queue, add and insert take the items of the playlist, else those that --where and --title name: queue instead of what there is, "
                + "add at the end, insert after the current item. Places are counted from 1 in the order in which items are played.",
            "The player makes no sound: another program reads the file. json is the value as it is stored.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let library = try LibraryPlace.open(arguments)
        let url =
            arguments["player"].map { URL(fileURLWithPath: $0) }
            ?? LibraryPlace.url(arguments).deletingPathExtension().appendingPathExtension("player.json")
        var player = try StoredPlayer.read(url)
        let now = Date().timeIntervalSince1970
        player.advance(to: now)
        if let action = arguments.operands.first, action != "show" {
            var change = PlayerChange(
                arguments: arguments, library: library, words: Array(arguments.operands.dropFirst()))
            try change.apply(action, to: &player, at: now)
            try StoredPlayer.write(player, to: url)
        } else if arguments.operands.count > 1 {
            throw arguments.error("show takes no words")
        }
        if arguments.format == .json {
            return output.line(String(decoding: try StoredPlayer.data(player), as: UTF8.self))
        }
        try show(player, now, library, output)
    }

    private func show(_ player: MusicPlayer, _ now: Double, _ library: MPMediaLibrary, _ output: StandardOutput) throws
    {
        let position = LibraryListCommand.time(player.position(at: now))
        output.line(
            "\(player.state)\(position.isEmpty ? "" : " at \(position)"), repeat \(player.repeatMode), shuffle \(player.shuffleMode)"
        )
        let found = try library.items(withPersistentIDs: player.entries.map(\.item))
        let items = Dictionary(found.map { ($0.persistentID, $0) }) { one, _ in one }
        var table = TextTable([.init(title: "")] + LibrarySelection.columns, limit: Terminal.width)
        for (place, entry) in player.order.enumerated() {
            let cells = LibrarySelection.cells(place, items[player.entries[entry].item])
            table.add([place == player.index ? ">" : ""] + cells, to: output)
        }
        table.finish(output)
    }
}

/// The file of a stored player.
enum StoredPlayer {
    private static let greatestSize = 64 << 20

    /// The stored player; an empty one if there is none.
    ///
    /// - Throws: `InspectionError` for a file that is no player.
    static func read(_ url: URL) throws -> MusicPlayer {
        guard FileManager.default.fileExists(atPath: url.path) else { return MusicPlayer() }
        do {
            guard try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 <= greatestSize else {
                throw CocoaError(.fileReadTooLarge)
            }
            return try JSONDecoder().decode(MusicPlayer.self, from: Data(contentsOf: url))
        } catch {
            throw InspectionError(
                .unreadable, subject: url.path, cause: "the file is no stored player",
                hint: "name another file by --player, or remove it")
        }
    }

    static func data(_ player: MusicPlayer) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(player)
    }

    static func write(_ player: MusicPlayer, to url: URL) throws {
        do { try data(player).write(to: url, options: .atomic) } catch {
            throw InspectionError(
                .readOnly, subject: url.path, cause: "the file cannot be written",
                hint: "name another file by --player")
        }
    }
}
