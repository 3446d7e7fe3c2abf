import CoreData
import CoreDataViewing
import CoreDataWorkbench
import SQLiteKit
import TestBasics
import Testing

/// Files of tiles: good ones, ones of other schemes, damaged and hostile ones.
@Suite struct TileArchiveTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 1, 2, 3]
    private static let tables = """
        CREATE TABLE metadata (name text, value text);
        CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
        CREATE UNIQUE INDEX tile_index on tiles (zoom_level, tile_column, tile_row);
        """

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(
        _ metadata: [(String, String)] = [("name", "Test"), ("format", "png")], script: String = tables,
        _ change: (Connection) throws -> Void = { _ in }
    ) throws -> String {
        let path = folder.url.appendingPathComponent(UUID().uuidString + ".mbtiles").path
        let connection = try Connection.open(path, OpenOptions(mode: .create))
        try connection.executeScript(script)
        for (name, value) in metadata {
            try connection.execute("INSERT INTO metadata VALUES (?, ?)", [.text(name), .text(value)])
        }
        for (zoom, column, row) in [(0, 0, 0), (1, 0, 0), (1, 1, 1), (2, 3, 0)] where script == Self.tables {
            try connection.execute(
                "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                [
                    .integer(Int64(zoom)), .integer(Int64(column)), .integer(Int64(row)),
                    .blob(Self.png + [UInt8(zoom), UInt8(column), UInt8(row)]),
                ])
        }
        try change(connection)
        connection.close()
        return path
    }

    private func reason(_ path: String) -> String? {
        do {
            _ = try TileArchive(path: path)
            return nil
        } catch { return (error as? InspectionError)?.cause ?? "\(error)" }
    }

    @Test("a file of tiles is a layer, whose rows are numbered from the north (MAP-03)")
    func goodFile() throws {
        let archive = try TileArchive(
            path: file([
                ("name", " Switzerland "), ("format", "png"), ("bounds", "5.9,45.8,10.5,47.9"),
                ("attribution", "<a href=\"javascript:x\">&copy; OSM</a>\u{1} contributors"),
            ]))
        #expect(archive.layer.name == "Switzerland" && archive.layer.zooms == 0...2)
        #expect(archive.layer.attribution == "© OSM contributors" && archive.layer.bounds == [5.9, 45.8, 10.5, 47.9])
        #expect(archive.layer.format.mediaType == "image/png")
        #expect(try archive.tile(zoom: 1, column: 0, row: 1)?.suffix(3) == Data([1, 0, 0]))
        #expect(try archive.tile(zoom: 1, column: 1, row: 0)?.suffix(3) == Data([1, 1, 1]))
        #expect(try archive.tile(zoom: 2, column: 3, row: 3)?.suffix(3) == Data([2, 3, 0]))
        for (zoom, column, row) in [(1, 0, 0), (3, 0, 0), (-1, 0, 0), (1, 2, 0), (1, 0, -1), (64, 0, 0)] {
            #expect(try archive.tile(zoom: zoom, column: column, row: row) == nil)
        }
    }

    @Test("tiles of another scheme, projection or form are not offered, with the reason (MAP-03)")
    func otherSchemes() throws {
        #expect(try reason(file([("name", "A"), ("scheme", "xyz")]))?.contains("'xyz'") == true)
        #expect(try reason(file([("name", "A"), ("profile", "geodetic")]))?.contains("'geodetic'") == true)
        #expect(try reason(file([("name", "A"), ("crs", "EPSG:4326")]))?.contains("'epsg:4326'") == true)
        #expect(try reason(file([("name", "A"), ("format", "pbf")]))?.contains("'pbf'") == true)
        #expect(try reason(file([("name", "A"), ("bounds", "1,2,3")]))?.contains("bounds") == true)
        #expect(try reason(file([("name", "A"), ("bounds", "0,80,10,nan")]))?.contains("bounds") == true)
        let vector = try file { try $0.execute("UPDATE tiles SET tile_data = x'1f8b0800'") }
        #expect(reason(vector)?.contains("not a picture") == true)
        let zooms = try file { try $0.execute("INSERT INTO tiles VALUES (31, 0, 0, x'00')") }
        #expect(reason(zooms)?.contains("zooms") == true)
        #expect(try reason(file { try $0.execute("DELETE FROM tiles") })?.contains("no tiles") == true)
    }

    @Test(
        "hostile names are not offered, with the reason (MAP-03)",
        arguments: ["<script>alert(1)</script>", "a\u{202E}b", "a\nb\u{0}c", String(repeating: "x", count: 201)])
    func hostileNames(name: String) throws {
        #expect(try reason(file([("name", name)]))?.hasPrefix("the name has ") == true)
    }

    @Test("truncated files, and files that are something else, are not offered (MAP-03)")
    func damagedFiles() throws {
        let path = try file { connection in
            for row in 0..<500 {
                try connection.execute(
                    "INSERT INTO tiles VALUES (12, 7, ?, ?)",
                    [.integer(Int64(row)), .blob(Self.png + [UInt8](repeating: 7, count: 3000))])
            }
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var refused = 0
        let sizes = [0, 1, 15, 16, 100, 4095, 4096, 5000, 20_000, bytes.count / 2, bytes.count - 4096]
        for size in sizes {
            let cut = folder.url.appendingPathComponent("cut\(size).mbtiles").path
            try bytes.prefix(size).write(to: URL(fileURLWithPath: cut))
            do {
                // What is opened must read or refuse each tile.
                let archive = try TileArchive(path: cut)
                for row in 3595..<4096 { _ = try archive.tile(zoom: 12, column: 7, row: row) }
            } catch is InspectionError { refused += 1 }
        }
        #expect(refused == sizes.count)
        #expect(reason(folder.url.appendingPathComponent("none.mbtiles").path) != nil)
        #expect(reason(folder.url.path) != nil)
        #expect(try reason(file(script: "CREATE TABLE metadata (name, value); CREATE TABLE x (y)")) != nil)
    }

    @Test("views that cost too much are stopped, and tiles of another form are not given out (MAP-03)")
    func hostileViews() throws {
        let endless = """
            CREATE TABLE metadata (name text, value text);
            CREATE VIEW tiles AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
            SELECT x AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'00' AS tile_data FROM n WHERE x < 0;
            """
        #expect(try reason(file([("name", "A")], script: endless)) != nil)
        let archive = try TileArchive(
            path: file { try $0.execute("UPDATE tiles SET tile_data = '<script>' WHERE zoom_level = 2") })
        #expect(try archive.tile(zoom: 2, column: 3, row: 3) == nil)
    }

    @Test("random damage is refused or read, never a trap (MAP-03)")
    func randomDamage() throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file())))
        var random = SeededRandom(seed: 99)
        let path = folder.url.appendingPathComponent("damaged.mbtiles")
        for _ in 0..<150 {
            var damaged = bytes
            for _ in 0..<8 {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try Data(damaged).write(to: path)
            guard let archive = try? TileArchive(path: path.path) else { continue }
            for zoom in 0...2 { _ = try? archive.tile(zoom: zoom, column: 0, row: 0) }
        }
    }
}
