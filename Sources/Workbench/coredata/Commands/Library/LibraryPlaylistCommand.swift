import CoreDataMedia
import CoreDataPrinting
import CoreDataWorkbench
import Foundation

/// `library playlist`: makes a playlist of a media library and changes it.
struct LibraryPlaylistCommand: Command {
    let syntax = CommandSyntax(
        name: ["library", "playlist"],
        summary: "Makes, changes or exports a playlist of a media library.",
        operands: [
            CommandOperand(name: "ACTION", help: "show, make, add, rename, move, remove, delete or export."),
            CommandOperand(name: "NAME", help: "The name of the playlist."),
            CommandOperand(
                name: "WORD",
                help:
                    "The name after rename, the places FROM and TO after move, the places after remove, the file after export.",
                isRepeated: true, isOptional: true),
        ],
        options: [LibraryPlace.option] + LibrarySelection.options,
        details: [
            "make and add take the items that --where and --title name. Places are counted from 1, as they are shown.",
            "A playlist that was read from a file of a scanned folder is not changed, and no file is written but by export, which "
                + "writes an M3U file in UTF-8 with paths relative to its folder, and replaces no file.",
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let (action, name, words) = (
            arguments.operands[0], arguments.operands[1], Array(arguments.operands.dropFirst(2))
        )
        let counts = [
            "show": 0...0, "make": 0...0, "add": 0...0, "rename": 1...1, "move": 2...2, "remove": 1...10_000,
            "delete": 0...0, "export": 1...1,
        ]
        guard let count = counts[action] else {
            throw arguments.error(
                "there is no action '\(PlaceWord.shown(action))'",
                hint: NameSuggestion(for: action, in: Array(counts.keys))?.question)
        }
        guard count.contains(words.count) else {
            throw arguments.error("\(action) takes another number of words after the name")
        }
        let library = try LibraryPlace.open(arguments)
        if action == "make" {
            let items = arguments.has("where") || arguments.has("title")
            let selected = items ? try LibrarySelection.items(arguments, of: library) : []
            return Self.show(try make(name, selected, in: library), output)
        }
        let playlist = try LibrarySelection.playlist(name, of: library)
        switch action {
        case "delete": try library.delete(playlist)
        case "export": try export(playlist, to: words[0], arguments)
        case "add":
            Self.show(try library.add(try LibrarySelection.items(arguments, of: library), to: playlist), output)
        case "rename": Self.show(try library.rename(playlist, to: words[0]), output)
        case "move":
            let places = try words.map { try LibrarySelection.place($0, arguments) }
            Self.show(try library.moveItem(at: places[0], to: places[1], of: playlist), output)
        case "remove":
            let places = IndexSet(try words.map { try LibrarySelection.place($0, arguments) })
            Self.show(try library.removeItems(at: places, of: playlist), output)
        default: Self.show(playlist, output)
        }
    }

    private func make(_ name: String, _ items: [MPMediaItem], in library: MPMediaLibrary) throws -> MPMediaPlaylist {
        guard try library.playlists().allSatisfy({ $0.name != name }) else {
            throw InspectionError(
                .badValue, subject: name, cause: "there is a playlist of this name",
                hint: "add to it, or choose another name")
        }
        return try library.makePlaylist(named: name, items: items)
    }

    private func export(_ playlist: MPMediaPlaylist, to path: String, _ arguments: Arguments) throws {
        let url = URL(fileURLWithPath: path)
        do {
            try playlist.m3u8(relativeTo: url.deletingLastPathComponent()).write(to: url, options: .withoutOverwriting)
        } catch {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw InspectionError(
                .readOnly, subject: path, cause: isThere ? "the file is there" : "the file cannot be written",
                hint: "choose another file, or a folder that is there and may be written")
        }
    }

    private static func show(_ playlist: MPMediaPlaylist, _ output: StandardOutput) {
        var table = TextTable(LibrarySelection.columns, limit: Terminal.width)
        for (place, item) in playlist.items.enumerated() { table.add(LibrarySelection.cells(place, item), to: output) }
        table.finish(output)
    }
}
