import CoreDataMedia
import CoreDataPrinting
import CoreDataWorkbench
import Foundation

/// `library list`: lists the items of a media library, or its groups.
struct LibraryListCommand: Command {
    private static let groupings: [(name: String, query: @Sendable (MPMediaLibrary) -> MPMediaQuery)] = [
        ("albums", { .albums(in: $0) }), ("artists", { .artists(in: $0) }), ("audiobooks", { .audiobooks(in: $0) }),
        ("compilations", { .compilations(in: $0) }), ("composers", { .composers(in: $0) }),
        ("genres", { .genres(in: $0) }),
        ("podcasts", { .podcasts(in: $0) }), ("songs", { .songs(in: $0) }),
    ]

    let syntax = CommandSyntax(
        name: ["library", "list"],
        summary: "Lists the items of a media library, or its albums, artists and other groups.",
        operands: [
            CommandOperand(
                name: "GROUP", help: "\(groupings.map(\.name).joined(separator: ", ")); all items by default.",
                isOptional: true)
        ],
        options: [
            LibraryPlace.option
        ] + LibrarySelection.options + [.format([.table, .json])],
        details: [
            "json of items is [{\"persistentID\", \"title\", \"artist\", \"albumTitle\", \"duration\", \"type\", \"path\", \"available\"}], of groups "
                + "[{\"persistentID\", \"title\", \"items\"}] with such items."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let library = try LibraryPlace.open(arguments)
        let query = try query(arguments, library)
        try LibrarySelection.restrict(query, arguments)
        let isGrouped = query.groupingType != .title
        if arguments.format == .json {
            let rows = isGrouped ? try query.collections().map(Self.json) : try query.items().map(Self.json)
            return output.line(JSONWriter.lines(.array(rows)))
        }
        if isGrouped { try printGroups(query, output) } else { try printItems(query, output) }
    }

    private func query(_ arguments: Arguments, _ library: MPMediaLibrary) throws -> MPMediaQuery {
        guard let name = arguments.operands.first else { return MPMediaQuery(library: library) }
        guard let grouping = Self.groupings.first(where: { $0.name == name }) else {
            throw arguments.error(
                "there is no group '\(name)'", hint: NameSuggestion(for: name, in: Self.groupings.map(\.name))?.question
            )
        }
        return grouping.query(library)
    }

    private func printItems(_ query: MPMediaQuery, _ output: StandardOutput) throws {
        var table = TextTable(
            [
                .init(label: "title"), .init(label: "artist"), .init(label: "album"),
                .init(label: "duration", isNumber: true),
                .init(label: "path"),
            ], limit: Terminal.width)
        for item in try query.items() {
            table.add(
                [
                    item.title ?? "", item.artist ?? "", item.albumTitle ?? "", Self.time(item.playbackDuration),
                    item.isAvailable ? item.assetURL?.path ?? "" : "-",
                ], to: output)
        }
        table.finish(output)
    }

    private func printGroups(_ query: MPMediaQuery, _ output: StandardOutput) throws {
        var table = TextTable([.init(label: "title"), .init(label: "items", isNumber: true)], limit: Terminal.width)
        for group in try query.collections() { table.add([group.title ?? "", "\(group.count)"], to: output) }
        table.finish(output)
    }

    /// `3:07`; nothing while it is not known.
    static func time(_ seconds: Double) -> String {
        guard seconds > 0, seconds < 1e9 else { return "" }
        let whole = Int(seconds.rounded())
        let tail = "\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
        let minutes = whole / 60 % 60
        guard whole >= 3_600 else { return "\(minutes):\(tail)" }
        return "\(whole / 3_600):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }

    static func json(_ item: MPMediaItem) -> JSONValue {
        .object([
            // A text, since not every reader of JSON has whole numbers of 64 bits.
            ("persistentID", .string("\(item.persistentID)")), ("title", .text(item.title)),
            ("artist", .text(item.artist)),
            ("albumTitle", .text(item.albumTitle)), ("duration", .real(item.playbackDuration)),
            ("type", .integer(Int64(item.mediaType.rawValue & 0xffff))), ("path", .text(item.assetURL?.path)),
            ("available", .bool(item.isAvailable)),
        ])
    }

    private static func json(_ group: MPMediaItemCollection) -> JSONValue {
        .object([
            ("persistentID", .string("\(group.persistentID)")), ("title", .text(group.title)),
            ("items", .array(group.items.map(json))),
        ])
    }
}
