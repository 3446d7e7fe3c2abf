import CoreDataStore

/// Finds rows and relationships by keys, for the evaluation of predicates, sort descriptors and expressions in memory.
///
/// Used by one thread at a time. If reading fails, a source that reads from elsewhere returns no rows and members from
/// then on; its owner must check it for an error after the evaluation.
package protocol RecordFinding: AnyObject {
    var model: ModelLayout { get }
    /// The binding of records of an entity, by the number of the entity.
    func binding(ofEntity number: Int) -> EntityBinding
    /// The row with a key in one entity hierarchy.
    func row(root: Int, key: Int64) -> RowSnapshot?
    /// The keys of the members of a to-many relationship, in the relationship's order, or sorted by key if it is not
    /// ordered.
    func members(of relationship: NSRelationshipDescription, owner: Int64) -> [Int64]
}

extension RecordTables: RecordFinding {
    package func binding(ofEntity number: Int) -> EntityBinding { bindings[number] }
}
