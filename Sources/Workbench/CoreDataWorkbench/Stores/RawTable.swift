import CoreData

/// The rows of a table as SQLite has them, for stores whose model is not at hand.
package struct RawTable {
    package let columns: [String]
    private let store: RawStore
    private let name: String
    /// The numbers of the entities whose rows are shown; nil for all rows of the table.
    private let entities: [Int64]?

    /// Finds a table, or that of an entity with the rows of the entity and of those below it.
    ///
    /// - Throws: `InspectionError`: `unreadable`, or `unknownEntity` with the nearest name.
    package init(_ name: String, inStoreAt url: URL) throws {
        do {
            store = try RawStore(at: url)
            let known = try store.entities()
            if let entity = known.first(where: { $0.name == name }), let table = entity.table {
                self.name = table
                entities = Self.family(of: entity, among: known)
            } else if let table = store.table(named: name) {
                self.name = table
                entities = nil
            } else {
                let near = NameSuggestion(for: name, in: known.map(\.name) + store.tables)
                throw InspectionError(
                    .unknownEntity, subject: name, cause: "the store has no such entity or table",
                    hint: near?.question ?? "'inspect' lists them")
            }
        } catch {
            throw InspectionError.unreadable(url, error)
        }
        columns = store.columns(of: self.name)
    }

    /// The names that a store without its model is asked by: those of its entities, then those of the other tables.
    ///
    /// - Throws: `InspectionError` of code `unreadable`.
    package static func names(inStoreAt url: URL) throws -> [(name: String, isEntity: Bool)] {
        do {
            let store = try RawStore(at: url)
            let entities = try store.entities().filter { $0.table != nil }
            let tables = Set(entities.compactMap(\.table))
            return entities.map { ($0.name, true) } + store.tables.filter { !tables.contains($0) }.map { ($0, false) }
        } catch {
            throw InspectionError.unreadable(url, error)
        }
    }

    /// Hands out the rows one after another, a reading for each column; a limit of 0 is none.
    ///
    /// - Throws: `InspectionError` where the store cannot answer, and what `body` throws.
    package func forEachRow(limit: Int, offset: Int, _ body: ([PropertyReading]) throws -> Void) throws {
        try store.forEachRow(of: name, entities: entities, limit: limit, offset: offset) { values in
            try body(values.map(Self.reading))
        }
    }

    /// The number of rows.
    package func count() throws -> Int {
        guard let entities else { return try store.rowCount(of: name) }
        let counts = try store.counts(in: name)
        return entities.reduce(0) { $0 + counts[$1, default: 0] }
    }

    private static func family(of entity: RawStore.Entity, among all: [RawStore.Entity]) -> [Int64] {
        var numbers = [entity.number]
        // Entities below have greater numbers.
        for other in all where other.number > entity.number && numbers.contains(other.parent) {
            numbers.append(other.number)
        }
        return numbers
    }

    private static func reading(_ value: StoredValue) -> PropertyReading {
        switch value.tag {
        case RowTag.integer: .value(NSNumber(value: value.integer), .integer64)
        case RowTag.real: .value(NSNumber(value: value.real), .double)
        case RowTag.text: .text(String(decoding: value.bytes, as: UTF8.self))
        case RowTag.blob: .value(Data(value.bytes), .binary)
        default: .null
        }
    }
}
