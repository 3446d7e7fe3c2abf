import CoreDataStore

/// The entities for fetch requests of transactions and changes; stores have no objects of them.
final class HistoryEntities: @unchecked Sendable {
    static let shared = HistoryEntities()

    let transaction = HistoryEntities.entity(
        "Transaction",
        [
            "author": .stringAttributeType, "bundleID": .stringAttributeType, "contextName": .stringAttributeType,
            "processID": .stringAttributeType, "timestamp": .dateAttributeType, "token": .integer64AttributeType,
            "transactionNumber": .integer64AttributeType,
        ])
    let change = HistoryEntities.entity(
        "Change",
        [
            "changedID": .integer64AttributeType, "changeType": .integer64AttributeType,
            "changedEntity": .integer64AttributeType, "changedObjectID": .objectIDAttributeType,
            "updatedProperties": .transformableAttributeType, "tombstone": .transformableAttributeType,
        ])
    /// Retains the entities, which freezing the model makes immutable.
    private let model = NSManagedObjectModel()

    private init() {
        model.entities = [transaction, change]
        model.freeze()
    }

    private static func entity(
        _ name: String, _ attributes: KeyValuePairs<String, NSAttributeType>
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        return entity
    }

    /// The key for a Swift key path of the public classes; nil for a key path that cannot be sorted by.
    static func key(of keyPath: AnyKeyPath) -> String? {
        switch keyPath {
        case \NSPersistentHistoryTransaction.author: "author"
        case \NSPersistentHistoryTransaction.bundleID: "bundleID"
        case \NSPersistentHistoryTransaction.contextName: "contextName"
        case \NSPersistentHistoryTransaction.processID: "processID"
        case \NSPersistentHistoryTransaction.timestamp: "timestamp"
        case \NSPersistentHistoryTransaction.transactionNumber: "transactionNumber"
        case \NSPersistentHistoryChange.changeID: "changedID"
        case \NSPersistentHistoryChange.changedObjectID: "changedObjectID"
        default: nil
        }
    }
}
