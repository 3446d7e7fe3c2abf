import CoreDataMedia
import CoreDataPrinting
import CoreDataWorkbench
import Foundation

/// `library playlists`: lists the playlists of a media library, or prints one.
struct LibraryPlaylistsCommand: Command {
    let syntax = CommandSyntax(
        name: ["library", "playlists"],
        summary: "Lists the playlists of a media library, or prints one as an M3U file.",
        operands: [CommandOperand(name: "NAME", help: "The name of a playlist to print.", isOptional: true)],
        options: [
            LibraryPlace.option,
            Option(
                "relative", value: "FOLDER",
                help: "Print paths relative to FOLDER, where the file is to lie; to the present folder by default."),
            .format([.table, .json]),
        ],
        details: [
            "json is [{\"persistentID\", \"name\", \"isFile\", \"items\", \"missing\"}], with the items of 'library list' and the entries whose file "
                + "is no item."
        ])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let library = try LibraryPlace.open(arguments)
        guard let name = arguments.operands.first else { return list(try library.playlists(), arguments, output) }
        let playlist = try LibrarySelection.playlist(name, of: library)
        if arguments.has("format"), arguments.format == .json {
            return output.line(JSONWriter.lines(Self.json(playlist)))
        }
        let folder = URL(fileURLWithPath: arguments["relative"] ?? FileManager.default.currentDirectoryPath)
        output.write(String(decoding: playlist.m3u8(relativeTo: folder), as: UTF8.self))
    }

    private func list(_ playlists: [MPMediaPlaylist], _ arguments: Arguments, _ output: StandardOutput) {
        if arguments.format == .json { return output.line(JSONWriter.lines(.array(playlists.map(Self.json)))) }
        var table = TextTable(
            [.init(label: "name"), .init(label: "items", isNumber: true), .init(label: "missing", isNumber: true)],
            limit: Terminal.width)
        for list in playlists {
            table.add([list.name ?? "", "\(list.count)", "\(list.missingLocations.count)"], to: output)
        }
        table.finish(output)
    }

    private static func json(_ list: MPMediaPlaylist) -> JSONValue {
        .object([
            ("persistentID", .string("\(list.persistentID)")), ("name", .text(list.name)),
            ("isFile", .bool(list.isFile)),
            ("items", .array(list.items.map(LibraryListCommand.json))),
            ("missing", .array(list.missingLocations.map { .string($0) })),
        ])
    }
}
