import CoreDataModeling

/// Identifies a stored record: an object identifier, or an object that has one.
package protocol RecordIdentifying: RecordReference {
    /// The address of the record; nil before the record is saved, and after its store has been removed.
    var recordAddress: RecordAddress? { get }
}

/// The identifier of a record, also as the value of an attribute.
package protocol RecordIdentifier: RecordIdentifying, AnyObject {
    /// The key of the record's row.
    var key: Int64 { get }
}

/// A record as predicates of a store in memory see it; results contain the record's identifier instead.
package protocol StoredRecordReference: RecordReference {}

/// Identifies a row by the UUID of its store, its entity and its key.
package struct RecordAddress {
    package let storeIdentifier: String
    package let entity: NSEntityDescription
    package let key: Int64

    package init(storeIdentifier: String, entity: NSEntityDescription, key: Int64) {
        self.storeIdentifier = storeIdentifier
        self.entity = entity
        self.key = key
    }
}
