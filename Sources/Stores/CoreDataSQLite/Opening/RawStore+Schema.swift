import CoreDataSQL
import SQLiteKit

extension RawStore {
    /// Returns a model's schema with this file's names, and what the file lacks or has in addition.
    package func resolution(
        of model: NSManagedObjectModel, configuration: String?
    ) throws -> StoreSchema.Resolution {
        let numbers = try reading { try SchemaInspection.recordedNumbers(connection, catalog) }
        return StoreSchema(model: model, configuration: configuration, recordedNumbers: numbers)
            .resolved(against: SchemaInspection.plainCatalog(catalog, numbers))
    }

    /// Whether the file has a unique index over the same columns as `index`, under any name.
    package func has(_ index: IndexDefinition) -> Bool { SchemaInspection.has(index, catalog) }
}
