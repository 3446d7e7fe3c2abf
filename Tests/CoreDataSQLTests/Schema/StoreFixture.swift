import CoreDataSQL
import Foundation
import SQLiteKit
import TestBasics
import Testing

/// A store that Apple's framework wrote, the model it belongs to, and where it differs from what we make of that model.
struct StoreFixture: CustomTestStringConvertible {
    let path: String
    /// The model's source below the fixtures folder; nil to take the model that the store carries.
    let model: String?
    /// Every object of the store or the schema that differs, by name, with the reason.
    let exceptions: [String: Reason]
    /// Names in `Z_PRIMARYKEY` that a migration left behind, by the entity's name now.
    let formerNames: [String: String]

    init(_ path: String, _ model: String?, _ exceptions: [String: Reason] = [:], formerNames: [String: String] = [:]) {
        self.formerNames = formerNames
        self.path = path
        self.model = model
        self.exceptions = exceptions
    }

    /// The kinds of differences between stores of one model that Apple's own versions show.
    enum Reason {
        /// Frameworks up to about 754 name the index of an attribute `ZTABLE_ZCOLUMN_INDEX` and state no collation.
        case olderIndexName
        /// The model was compiled for systems that knew no fetch indexes, so only the attribute's own index was kept.
        case compiledWithoutFetchIndexes
        /// Frameworks up to 519 keep no copy of the model in the store.
        case noModelCache
    }

    var testDescription: String { "\(path.split(separator: "/").last ?? "") \(model == nil ? "(own model)" : "")" }

    /// Opens a copy: the store may keep its rows in a `-wal` file.
    func open() throws -> Connection {
        try Connection.open(try Fixtures.copyOfStore("stores/" + path).path)
    }

    func schema(_ store: Connection) throws -> StoreSchema {
        guard let model else { return try Self.cachedSchema(store) }
        return StoreSchema(model: try NSManagedObjectModel(reading: Fixtures.url("stores/" + model)))
    }

    /// The schema of the model that the store carries.
    static func cachedSchema(_ store: Connection) throws -> StoreSchema {
        guard case .blob(let bytes) = try store.value("SELECT Z_CONTENT FROM Z_MODELCACHE") else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return StoreSchema(model: try NSManagedObjectModel(cachedModel: Data(bytes)))
    }
}

extension Catalog {
    /// What a schema has to know of the database.
    func asDatabaseCatalog(numbers: [String: Int]) -> DatabaseCatalog {
        DatabaseCatalog(
            tables: tables.map { .init(name: $0.name, columns: $0.columns.map(\.name)) }, entityNumbers: numbers)
    }
}

extension Connection {
    /// A new database with the schema's tables.
    static func made(of schema: StoreSchema) throws -> Connection {
        let connection = try Connection.inMemory()
        for statement in schema.creationStatements { try connection.execute(statement) }
        return connection
    }
}
