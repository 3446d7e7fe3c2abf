import CoreData

/// The rows of a table as SQLite stores them, for stores without a known model.
package struct RawTable {
    package let columns: [String]
    private let store: RawStore
    private let name: String
    /// The numbers of the entities whose rows are shown; nil for all rows of the table.
    private let entities: [Int64]?

    /// Finds a table by its name, or by the name of an entity; then only rows of the entity and its subentities are
    /// read.
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

    /// The names by which the rows of a store can be read without its model: those of its entities, then those of its
    /// other tables.
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

    /// Passes the rows to `body` one after another, with a reading for each column; a `limit` of 0 means no limit.
    ///
    /// - Throws: Errors of reading the store, and of `body`.
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
        // Subentities have greater numbers than their superentities.
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
