import CoreDataStore

/// Where rows and relationships are found by keys while predicates, sort descriptors and calculations are evaluated in
/// memory.
///
/// Used by one thread at a time. A source that reads elsewhere answers as if there were nothing once it cannot read, and its
/// owner asks it for the error afterwards.
package protocol RecordFinding: AnyObject {
    var model: ModelLayout { get }
    /// What records of the entity with a number share.
    func binding(ofEntity number: Int) -> EntityBinding
    /// The row with a key of one hierarchy.
    func row(root: Int, key: Int64) -> RowSnapshot?
    /// The keys of the members of a to-many relationship, in their order or sorted.
    func members(of relationship: NSRelationshipDescription, owner: Int64) -> [Int64]
}

extension RecordTables: RecordFinding {
    package func binding(ofEntity number: Int) -> EntityBinding { bindings[number] }
}
