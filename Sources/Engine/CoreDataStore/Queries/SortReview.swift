import CoreDataModeling

/// Refuses sort keys by which rows cannot be sorted, before a store is used.
package enum SortReview {
    /// The key path by which a sort descriptor sorts.
    ///
    /// - Throws: `NSCoreDataError` for a Swift key path that the class's property table does not contain.
    package static func path(of sorting: Sorting, _ layout: EntityLayout) throws -> String {
        if let key = sorting.key { return key }
        guard let keyPath = sorting.keyPath, keyPath != \Any.self else { return "self" }
        guard let key = layout.classes.key(of: keyPath) else {
            throw QueryRefusal.make(
                layout.entity, key: nil, reason: "no property table names the Swift key path of a sort descriptor")
        }
        return key
    }

    /// Checks that rows of an entity can be sorted by a path; returns true if the path denotes the record itself.
    ///
    /// - Throws: `NSCoreDataError` for a path by which rows cannot be sorted, and for an unknown comparison selector.
    @discardableResult
    package static func checkSortable(_ path: String, by sorting: Sorting, _ entity: NSEntityDescription) throws -> Bool
    {
        if case .named(let name) = sorting.comparison, NamedComparisons.comparison(named: name) == nil {
            throw QueryRefusal.make(entity, key: path, reason: "unsupported NSSortDescriptor selector: \(name)")
        }
        let isSelf = path.split(separator: ".").allSatisfy { ["self", "SELF", "objectID"].contains($0) }
        if !isSelf { try check(path, entity) }
        return isSelf
    }

    /// Checks that a search rank refers to text attributes of an entity only.
    ///
    /// - Throws: `NSCoreDataError` for a key path that does not lead to a text attribute.
    package static func check(_ rank: SearchRank, _ entity: NSEntityDescription) throws {
        for path in rank.keyPaths {
            if case .attribute(let attribute) = try RecordPath(path, from: entity),
                attribute.attributeType == .stringAttributeType
            {
                continue
            }
            throw QueryRefusal.make(entity, key: path, reason: "rows are ranked by text attributes only")
        }
    }

    private static func check(_ path: String, _ entity: NSEntityDescription) throws {
        let reason: String
        switch try RecordPath(path, from: entity) {
        case .attribute(let attribute) where attribute.attributeType == .transformableAttributeType:
            reason = "rows cannot be sorted by values that only a transformer understands"
        case .attribute(let attribute) where attribute.attributeType == .compositeAttributeType:
            reason = "rows cannot be sorted by a composite attribute; sort by one of its elements"
        case .attribute(let attribute) where attribute.attributeType == .binaryDataAttributeType:
            reason = "rows cannot be sorted by binary data"
        case .collection: reason = "rows cannot be sorted by a to-many relationship"
        case .record: reason = "rows cannot be sorted by a relationship; sort by an attribute of its destination"
        case .attribute, .value: return
        }
        throw QueryRefusal.make(entity, key: path, reason: reason)
    }
}
