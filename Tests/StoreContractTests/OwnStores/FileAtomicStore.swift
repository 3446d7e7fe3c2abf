import CoreData

/// A reference atomic store: all records in one JSON file, with the library's own nodes.
final class FileAtomicStore: NSAtomicStore, @unchecked Sendable {
    static let kindName = "FileAtomic"
    var failure: (any Error)?
    private(set) var saves = 0

    override var capabilities: Capabilities { [.durable, .exactDecimals, .exactReals, .namesRecords] }

    private var coding: BookCoding? { (persistentStoreCoordinator?.managedObjectModel).map { BookCoding(model: $0) } }

    override func loadMetadata() throws {
        guard let url else { return }
        metadata =
            FileManager.default.fileExists(atPath: url.path)
            ? try BookCoding.metadata(try Data(contentsOf: url))
            : [NSStoreTypeKey: Self.kindName, NSStoreUUIDKey: UUID().uuidString]
    }

    override func load() throws {
        guard let url, let coordinator = persistentStoreCoordinator, let coding else { return }
        let model = coordinator.managedObjectModel
        guard FileManager.default.fileExists(atPath: url.path) else {
            let kept = Set((model.entities(forConfigurationName: configurationName) ?? model.entities).map(\.name))
            metadata[NSStoreModelVersionHashesKey] = model.entityVersionHashesByName.filter { kept.contains($0.key) }
            return try save()
        }
        // Another model may not know what the values are: it is refused by the metadata.
        let book = (try? coding.book(try Data(contentsOf: url))) ?? RecordBook()
        for (reference, record) in book.records.values.joined() {
            guard let entity = model.entitiesByName[record.entity] else { continue }
            let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: reference))
            for (key, value) in record.attributes { node.setValue(value, forKey: key) }
            for (name, relationship) in entity.relationshipsByName {
                guard let destination = relationship.destinationEntity else { continue }
                let members = (record.toOne[name].map { [$0] } ?? record.toMany[name] ?? []).map { other in
                    // The record's own entity may be more special than the relationship's destination.
                    objectID(
                        for: book.records.values.compactMap { $0[other] }.first.flatMap {
                            model.entitiesByName[$0.entity]
                        }
                            ?? destination, withReferenceObject: other)
                }
                node.setValue(relationship.isToMany ? members : members.first, forKey: name)
            }
            addCacheNodes([node])
        }
    }

    override func save() throws {
        if let failure { throw failure }
        guard let url, let coding else { return }
        saves += 1
        var book = RecordBook()
        book.metadata = metadata
        for node in cacheNodes() {
            var root = node.objectID.entity
            while let parent = root.superentity { root = parent }
            book.records[root.name ?? "", default: [:]][reference(node.objectID)] = record(of: node)
        }
        try coding.data(book).write(to: url, options: .atomic)
    }

    private func reference(_ identifier: NSManagedObjectID) -> String {
        referenceObject(for: identifier) as? String ?? ""
    }

    private func record(of node: NSAtomicStoreCacheNode) -> RecordBook.Record {
        let entity = node.objectID.entity
        var record = RecordBook.Record(entity: entity.name ?? "", version: 1)
        for name in entity.attributesByName.keys { record.attributes[name] = node.value(forKey: name) }
        for name in entity.relationshipsByName.keys {
            if let target = node.value(forKey: name) as? NSManagedObjectID { record.toOne[name] = reference(target) }
            if let members = node.value(forKey: name) as? [Any] {
                record.toMany[name] = members.compactMap { ($0 as? NSManagedObjectID).map(reference) }
            }
        }
        return record
    }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = super.newCacheNode(for: managedObject)
        releaseMembers(of: node)
        return node
    }

    override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        super.updateCacheNode(node, from: managedObject)
        releaseMembers(of: node)
    }

    /// Without an inverse a member has one owner: the last that it came to.
    private func releaseMembers(of node: NSAtomicStoreCacheNode) {
        for (name, relationship) in node.objectID.entity.relationshipsByName
        where relationship.isToMany && relationship.inverseRelationship == nil {
            let members = Set((node.value(forKey: name) as? [Any] ?? []).compactMap { $0 as? NSManagedObjectID })
            for other in cacheNodes() where other !== node && other.objectID.entity.relationshipsByName[name] != nil {
                let theirs = (other.value(forKey: name) as? [Any] ?? []).compactMap { $0 as? NSManagedObjectID }
                if theirs.contains(where: members.contains) {
                    other.setValue(theirs.filter { !members.contains($0) }, forKey: name)
                }
            }
        }
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try BookCoding.metadata(try Data(contentsOf: url))
    }
}

/// A node that computes its values when they are asked for.
final class LazyNode: NSAtomicStoreCacheNode, @unchecked Sendable {
    private(set) var asked: [String] = []

    override func value(forKey key: String) -> Any? {
        asked.append(key)
        switch key {
        case "name": return "Computed"
        case "strength": return 7
        default: return super.value(forKey: key)
        }
    }
}

/// An atomic store with one lazy record that is nowhere.
final class LazyStore: NSAtomicStore, @unchecked Sendable {
    private(set) var node: LazyNode?

    override func load() throws {
        metadata = [NSStoreTypeKey: "Lazy", NSStoreUUIDKey: UUID().uuidString]
        guard let hero = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Hero"] else { return }
        let made = LazyNode(objectID: objectID(for: hero, withReferenceObject: 1))
        node = made
        addCacheNodes([made])
    }

    override func save() throws {}
}
