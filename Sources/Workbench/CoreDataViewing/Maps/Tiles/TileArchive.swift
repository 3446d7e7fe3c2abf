import CoreData
import CoreDataWorkbench
import SQLiteKit

/// A file of tiles in the form MBTiles, which a user names: pictures of the map that need no server.
///
/// The file is from outside: it is opened for reading alone, what its views may cost is limited, and a tile is given only
/// if it is a picture of the layer's form. May be used from any thread; readers wait for each other.
///
/// Invariants:
/// 1. `connection` is used only while `lock` is held.
package final class TileArchive: @unchecked Sendable {
    private static let greatestTile = 4 << 20
    private static let longestQuery = Duration.seconds(2)
    private static let metadataRows = 1000

    package let layer: TileLayer
    private let path: String
    private let connection: Connection
    private let lock = NSLock()

    /// Opens a file and checks what it says of itself, and its first tile.
    ///
    /// - Throws: `InspectionError` with the reason for which the layer is not offered.
    package init(path: String) throws {
        self.path = path
        do {
            var options = OpenOptions(mode: .readOnly)
            options.limits = [.valueLength: Self.greatestTile + 65_536]
            connection = try Connection.open(path, options)
            connection.executionLimit = ExecutionLimit(duration: Self.longestQuery)
            layer = try Self.layer(connection)
        } catch let error as TileRefusal {
            throw Self.refusal(path, error.cause)
        } catch let error as SQLiteError {
            throw Self.refusal(path, "the file cannot be read as MBTiles: \(error.message)")
        }
    }

    private static func refusal(_ path: String, _ cause: String) -> InspectionError {
        InspectionError(
            .unreadable, subject: path, cause: cause, hint: "give a file in the form MBTiles 1.3 with pictures")
    }

    private static func layer(_ connection: Connection) throws -> TileLayer {
        var values: [String: String] = [:]
        for row in try connection.rows("SELECT name, value FROM metadata LIMIT \(metadataRows)") {
            if case .text(let name) = row[0], case .text(let value) = row[1] { values[name] = value }
        }
        let metadata = TileMetadata(values: values)
        try metadata.requireScheme()
        let name = try metadata.name()
        guard
            let first = try connection.rows(
                "SELECT zoom_level, tile_column, tile_row, substr(tile_data, 1, 12) FROM tiles LIMIT 1"
            ).first
        else { throw TileRefusal("the file has no tiles") }
        guard case .blob(let bytes) = first[3], let format = TileLayer.Format(bytes) else {
            throw TileRefusal("the first tile is not a picture (png, jpg, webp)")
        }
        guard case .integer(let zoom) = first[0], (0...Int64(TileMetadata.greatestZoom)).contains(zoom) else {
            throw TileRefusal("the first tile has no zoom from 0 to 30")
        }
        return TileLayer(
            name: name, attribution: metadata.attribution, format: format,
            zooms: try zooms(connection), bounds: try metadata.bounds())
    }

    /// The zooms of the tiles, which the metadata may have wrong.
    private static func zooms(_ connection: Connection) throws -> ClosedRange<Int> {
        let rows = try connection.rows("SELECT min(zoom_level), max(zoom_level) FROM tiles")
        guard case .integer(let least)? = rows.first?[0], case .integer(let most)? = rows.first?[1], least >= 0,
            most <= TileMetadata.greatestZoom, least <= most
        else { throw TileRefusal("the tiles have zooms beyond 0 to 30") }
        return Int(least)...Int(most)
    }

    /// The picture of a tile, numbered from the north as browsers do; nil if there is none, or if it is no picture of the
    /// layer's form.
    ///
    /// - Throws: `InspectionError` if the file is damaged.
    package func tile(zoom: Int, column: Int, row: Int) throws -> Data? {
        guard layer.zooms.contains(zoom), (0..<(1 << zoom)).contains(column), (0..<(1 << zoom)).contains(row) else {
            return nil
        }
        // MBTiles numbers rows from the south.
        let numbers: [Value] = [zoom, column, (1 << zoom) - 1 - row].map { .integer(Int64($0)) }
        return try lock.withLock {
            let found: [[Value]]
            do {
                found = try connection.rows(
                    "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1",
                    numbers)
            } catch let error as SQLiteError { throw Self.refusal(path, "a tile cannot be read: \(error.message)") }
            guard case .blob(let bytes)? = found.first?.first, bytes.count <= Self.greatestTile,
                TileLayer.Format(bytes) == layer.format
            else { return nil }
            return Data(bytes)
        }
    }
}
