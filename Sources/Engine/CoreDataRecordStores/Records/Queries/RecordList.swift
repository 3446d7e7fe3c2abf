import CoreDataStore

/// The members of a to-many relationship, as an array that makes its elements on demand.
///
/// Getting the count makes no elements.
final class RecordList: NSArray {
    private struct Members {
        let keys: [Int64]
        let layout: EntityLayout
        let source: any RecordFinding
    }

    /// Nil for an array made by the inherited initializers, which is always empty.
    private let members: Members?

    init(of relationship: NSRelationshipDescription, owner: Int64, _ source: any RecordFinding) {
        members = relationship.destinationEntity.flatMap(source.model.layout(of:)).map {
            Members(keys: source.members(of: relationship, owner: owner), layout: $0, source: source)
        }
        super.init(objects: nil, count: 0)
    }

    override var count: Int { members?.keys.count ?? 0 }

    override func object(at index: Int) -> Any {
        guard let members else { return NSNull() }
        return StoredRecord(
            root: members.layout.root, key: members.keys[index], entity: members.layout.number, of: members.source)
    }

    // MARK: What every array must have; these lists are empty

    required init(objects: UnsafePointer<AnyObject>?, count: Int) {
        members = nil
        super.init(objects: nil, count: 0)
    }

    required convenience init?(coder: NSCoder) { self.init(objects: nil, count: 0) }

    required convenience init(arrayLiteral elements: Any...) { self.init(objects: nil, count: 0) }
}
