import CoreDataSQL

/// Rows of a hierarchy's table whose entity number no object of the hierarchy can have: a fetch passes them over.
enum StrayRows {
    /// The query that counts them by the index on the numbers; nil for a table that has none.
    ///
    /// The numbers of a hierarchy follow each other, so that two ranges and the abstract entities' numbers are all.
    static func count(in mapping: EntityMapping, of schema: StoreSchema) -> String? {
        let family = mapping.familyNumbers
        guard mapping.number == mapping.rootNumber, family.count > 1, let first = family.first, let last = family.last,
            last - first == family.count - 1
        else { return nil }
        let abstract = family.filter { schema.entity(number: $0)?.isAbstract == true }.map { " OR Z_ENT = \($0)" }
        return "SELECT COUNT(*) FROM \(SQLIdentifier.quoted(mapping.table)) WHERE Z_ENT < \(first) OR Z_ENT > \(last) "
            + "OR Z_ENT IS NULL" + abstract.joined()
    }
}

extension FetchQuery {
    /// Whether all rows of an entity and its descendants are meant.
    var selectsAll: Bool { includesSubentities && predicate == nil && limit == 0 && offset == 0 }
}

extension StoreFile {
    /// Notes a row that bears a number of no entity of its table, and what is made of it.
    func noteStray(key: Int64, entity: Int64, readAs mapping: EntityMapping?) {
        let consequence =
            mapping.map { "it is read as an object of '\($0.name)', whose table it is" } ?? "it was passed over"
        note(
            "The row \(key) of a table has the entity number \(entity), which no object of the fetched entities can have; "
                + consequence + ".")
    }
}
