import CoreDataModeling

/// What names a stored record: an identifier, or an object that has one.
package protocol RecordIdentifying: RecordReference {
    /// The record; nil before it is saved, and once its store has been removed.
    var recordAddress: RecordAddress? { get }
}

/// The identifier of a record, as a value of an attribute.
package protocol RecordIdentifier: RecordIdentifying, AnyObject {
    /// The key of the record's row.
    var key: Int64 { get }
}

/// A record as a store's own predicates see it, which no result shows: in its place stands the record's identifier.
package protocol StoredRecordReference: RecordReference {}

/// A row by the identity of its store, its entity and its key.
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
