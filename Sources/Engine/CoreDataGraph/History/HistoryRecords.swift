import CoreDataStore

/// A transaction for evaluating predicates and sort descriptors.
struct TransactionRecord: KeyValueCoding {
    let transaction: HistoryTransaction

    var codedKeys: [String] { HistoryEntities.shared.transaction.propertiesByName.keys.sorted() }

    func codedValue(forKey key: String) throws -> Any? {
        switch key {
        case "author": transaction.author
        case "bundleID": transaction.bundleID
        case "contextName": transaction.contextName
        case "processID": transaction.processID
        case "timestamp": Date(timeIntervalSinceReferenceDate: transaction.time)
        case "token", "transactionNumber": transaction.number
        default: throw UnknownKeyError(key: key, owner: "the entity Transaction", knownKeys: codedKeys)
        }
    }
}

/// A change for evaluating predicates and sort descriptors.
struct ChangeRecordView: KeyValueCoding {
    let details: HistoryChangeDetails

    var codedKeys: [String] { HistoryEntities.shared.change.propertiesByName.keys.sorted() }

    func codedValue(forKey key: String) throws -> Any? {
        switch key {
        case "changedID": details.id
        case "changeType": details.kind.rawValue
        case "changedEntity": details.address.binding.layout.number
        case "changedObjectID": details.address.objectID
        case "updatedProperties": details.updatedNames
        case "tombstone": details.tombstone
        default: throw UnknownKeyError(key: key, owner: "the entity Change", knownKeys: codedKeys)
        }
    }
}
