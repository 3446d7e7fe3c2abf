import CoreDataSQL
import SQLiteKit

extension RawStore {
    /// The tables of a model by the names of this file, with what the file lacks and has beyond them.
    package func resolution(
        of model: NSManagedObjectModel, configuration: String?
    ) throws -> StoreSchema.Resolution {
        let numbers = try reading { try SchemaInspection.recordedNumbers(connection, catalog) }
        return StoreSchema(model: model, configuration: configuration, recordedNumbers: numbers)
            .resolved(against: SchemaInspection.plainCatalog(catalog, numbers))
    }

    /// Whether the file has a unique index over the columns of another, whatever its name.
    package func has(_ index: IndexDefinition) -> Bool { SchemaInspection.has(index, catalog) }
}
