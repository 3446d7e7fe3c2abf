import CoreData
import CoreDataBrowser
import SQLiteKit
import TestBasics
import Testing

@Suite("Tiles of maps")
struct TilePageTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]

    private static func archive(_ name: String, scheme: String, in folder: TemporaryFolder) throws -> URL {
        let url = folder.url.appendingPathComponent(name)
        let connection = try Connection.open(url.path, OpenOptions(mode: .create))
        try connection.executeScript(
            """
            CREATE TABLE metadata (name text, value text);
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            """)
        for (key, value) in [("name", "Streets"), ("format", "png"), ("scheme", scheme), ("attribution", "<b>Me</b>")] {
            try connection.execute("INSERT INTO metadata VALUES (?, ?)", [.text(key), .text(value)])
        }
        try connection.execute(
            "INSERT INTO tiles VALUES (1, 0, 1, ?)", [.blob(Self.png + [7])])
        connection.close()
        return url
    }

    @Test(
        "a file of tiles is offered with its name, its pictures by their numbers, and another scheme with the reason (MAP-03)"
    )
    func tilesAreOffered() async throws {
        let folder = try TemporaryFolder()
        var options = BrowserOptions()
        options.tiles = [
            try Self.archive("good.mbtiles", scheme: "tms", in: folder),
            try Self.archive("other.mbtiles", scheme: "xyz", in: folder),
            folder.url.appendingPathComponent("missing.mbtiles"),
        ]
        let answers = BrowserAnswers(Browser(options: options))
        let list = try await answers.json("/tiles")
        #expect(list["layers"].list.count == 1 && list["layers"][0]["name"].text == "Streets")
        #expect(list["layers"][0]["attribution"].text == "Me")
        #expect(list["refused"].list.map { $0["file"].text } == ["other.mbtiles", "missing.mbtiles"])
        #expect(list["refused"][0]["reason"].text?.contains("xyz") == true)
        // Row 1 from the south is row 0 from the north.
        let tile = await answers.response("/tiles/0/1/0/0")
        #expect(tile.status == 200 && tile.headers["Content-Type"] == "image/png")
        #expect(try await tile.body.bytes(limit: 1_000) == Self.png + [7])
        for path in ["0/1/0/1", "1/1/0/0", "9/1/0/0", "0/99/0/0", "0/1/-1/0", "0/x/0/0", "-1/1/0/0"] {
            #expect(await answers.response("/tiles/\(path)").status == 404, "\(path)")
        }
    }
}
