import CoreDataSQL
import SQLiteKit

/// The model that a store contains in `Z_MODELCACHE`.
enum CachedModel {
    private static let greatestSize = 64 << 20

    /// The cached model; nil if the store does not have one.
    ///
    /// - Throws: `ModelingError` if it cannot be read.
    static func read(_ connection: Connection) throws -> NSManagedObjectModel? {
        guard let table = try connection.catalog().table("Z_MODELCACHE"), !table.isVirtual,
            table.columns.contains(where: { $0.name.uppercased() == "Z_CONTENT" && !$0.isGenerated })
        else { return nil }
        let statement = try connection.prepare(
            "SELECT Z_CONTENT FROM Z_MODELCACHE WHERE typeof(Z_CONTENT) = 'blob' AND length(Z_CONTENT) <= ? LIMIT 1")
        try statement.bind(Int64(greatestSize), at: 1)
        guard try statement.step() else { return nil }
        return try NSManagedObjectModel(cachedModel: withExtendedLifetime(statement) { Data(statement.blobBytes(0)) })
    }

    /// Returns those of the named entities that the cached model defines differently from `model`.
    ///
    /// Empty if no model is cached or it cannot be read, since a store can be used without a cached model.
    static func changed(
        among names: [String], from model: NSManagedObjectModel, _ connection: Connection
    ) throws -> [String] {
        guard !names.isEmpty else { return [] }
        do {
            return try read(connection).map { model.entities(names, definedOtherwiseIn: $0) } ?? []
        } catch is ModelingError {
            return []
        }
    }
}
