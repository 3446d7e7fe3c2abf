import CoreData

/// A store behind a service: records come by pages or one by one, and are written with the ETag that they had.
///
/// The service knows no predicates: what has one, or an order, is read page by page and chosen from here.
final class RemoteStore: NSIncrementalStore, @unchecked Sendable {
    static let storeType = "RemoteNotes"
    /// Option: how many seconds to wait for an answer; 10 unless given.
    static let timeoutOption = "RemoteStoreTimeout"
    private static let pageSize = 100

    struct Remote {
        let record: JSONRecord
        let version: UInt64
    }

    private lazy var service = RemoteService(
        url: url ?? URL(fileURLWithPath: "/"), timeout: options?[Self.timeoutOption] as? TimeInterval ?? 10)
    /// The versions that were last handed out or written.
    private var versions: [NSManagedObjectID: UInt64] = [:]
    /// Records that came with a page: each serves the first who wants its values.
    private var pages: [NSManagedObjectID: Remote] = [:]

    override var type: String { Self.storeType }
    override var capabilities: Capabilities { [.durable, .exactDecimals, .namesRecords] }

    static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(RemoteStore.self, forStoreType: storeType)
    }

    private var model: NSManagedObjectModel? { persistentStoreCoordinator?.managedObjectModel }

    override func loadMetadata() throws {
        if let known = try Self.metadata(service) {
            metadata = known
            return
        }
        let kept = Set((model?.entities(forConfigurationName: configurationName) ?? model?.entities ?? []).map(\.name))
        metadata = [
            NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: UUID().uuidString,
            NSStoreModelVersionHashesKey: (model?.entityVersionHashesByName ?? [:]).filter { kept.contains($0.key) },
        ]
        try writeMetadata()
    }

    private func writeMetadata() throws {
        let data = try PropertyListSerialization.data(fromPropertyList: metadata ?? [:], format: .binary, options: 0)
        _ = try service.ask("PUT", "metadata", body: data)
    }

    private static func metadata(_ service: RemoteService) throws -> [String: Any]? {
        let answer = try service.ask("GET", "metadata", allowing: [404])
        guard answer.status != 404 else { return nil }
        return try PropertyListSerialization.propertyList(from: answer.body, format: nil) as? [String: Any]
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try metadata(RemoteService(url: url, timeout: 10)) ?? [:]
    }

    // MARK: Reading

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let save as NSSaveChangesRequest: return try write(save)
        case let fetch as UntypedFetchRequest where fetch.resultType != .dictionaryResultType: return try find(fetch)
        default: throw CocoaError(CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError))
        }
    }

    private func find(_ fetch: UntypedFetchRequest) throws -> Any {
        guard let wanted = fetch.entity else { return [NSManagedObjectID]() }
        let names = (fetch.includesSubentities ? family(wanted) : [wanted]).compactMap(\.name).joined(separator: ",")
        let isCount = fetch.resultType == .countResultType
        guard fetch.predicate != nil || fetch.sortDescriptors?.isEmpty == false else {
            // The service's own window.
            let limit = isCount && fetch.fetchLimit == 0 ? 0 : fetch.fetchLimit
            if isCount {
                let total = try page(of: wanted, ["entities": names, "limit": "0"]).total
                let rest = max(0, total - fetch.fetchOffset)
                return [NSNumber(value: limit > 0 ? min(limit, rest) : rest)]
            }
            return try pages(of: wanted, ["entities": names], offset: fetch.fetchOffset, limit: limit)
        }
        let all = try pages(of: wanted, ["entities": names], offset: 0, limit: 0)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        let kept = pages
        let found = context.performAndWait {
            let objects = all.map { context.object(with: $0) }
            let matching = objects.filter { fetch.predicate?.evaluate(with: $0) ?? true }
            let sorted = matching.sorted(using: fetch.sortDescriptors ?? []).map(\.objectID).dropFirst(
                fetch.fetchOffset)
            return Array(fetch.fetchLimit > 0 ? sorted.prefix(fetch.fetchLimit) : sorted)
        }
        // Choosing has used the values up that whoever gets the result will want.
        for identifier in found { pages[identifier] = kept[identifier] }
        return isCount ? [NSNumber(value: found.count)] : found
    }

    private func family(_ entity: NSEntityDescription) -> [NSEntityDescription] {
        [entity] + entity.subentities.flatMap(family)
    }

    /// The identifiers of a window, read a page at a time.
    private func pages(
        of entity: NSEntityDescription, _ query: [String: String], offset: Int, limit: Int
    ) throws -> [NSManagedObjectID] {
        var found: [NSManagedObjectID] = []
        while true {
            let size = limit > 0 ? min(Self.pageSize, limit - found.count) : Self.pageSize
            let window = ["offset": String(offset + found.count), "limit": String(size)]
            let page = try page(of: entity, query.merging(window) { $1 })
            for (identifier, remote) in page.records {
                pages[identifier] = remote
                found.append(identifier)
            }
            if page.records.count < size || found.count == limit { return found }
        }
    }

    private func page(
        of entity: NSEntityDescription, _ query: [String: String]
    ) throws -> (records: [(NSManagedObjectID, Remote)], total: Int) {
        let object = try service.ask("GET", "records/\(entity.root.name ?? "")", query: query).object
        let records = (object["records"] as? [[String: Any]] ?? []).compactMap(remote)
        return (records, (object["total"] as? NSNumber)?.intValue ?? records.count)
    }

    private func remote(_ object: [String: Any]) -> (NSManagedObjectID, Remote)? {
        guard let id = object["id"] as? NSNumber ?? (object["id"] as? Int).map({ NSNumber(value: $0) }),
            let entity = (object["entity"] as? String).flatMap({ model?.entitiesByName[$0] }),
            let version = (object["version"] as? NSNumber)?.uint64Value ?? (object["version"] as? Int).map(UInt64.init)
        else { return nil }
        let record = JSONRecord(entity: entity, fields: object["fields"] as? [String: Any] ?? [:])
        return (newObjectID(for: entity, referenceObject: id), Remote(record: record, version: version))
    }

    private func path(_ identifier: NSManagedObjectID) -> String {
        "records/\(identifier.entity.root.name ?? "")/\(referenceObject(for: identifier))"
    }

    private func read(_ identifier: NSManagedObjectID) throws -> Remote? {
        if let known = pages.removeValue(forKey: identifier) { return known }
        guard referenceObject(for: identifier) is NSNumber else { return nil }
        let answer = try service.ask("GET", path(identifier), allowing: [404])
        return answer.status == 404 ? nil : remote(answer.object)?.1
    }

    /// The identifier that a name `Entity/number` stands for.
    private func identifier(_ name: String) -> NSManagedObjectID? {
        let parts = name.split(separator: "/")
        guard parts.count == 2, let entity = model?.entitiesByName[String(parts[0])], let number = Int64(parts[1])
        else {
            return nil
        }
        return newObjectID(for: entity, referenceObject: NSNumber(value: number))
    }

    private func name(_ identifier: NSManagedObjectID) -> String {
        "\(identifier.entity.name ?? "")/\(referenceObject(for: identifier))"
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        guard let remote = try read(objectID) else {
            throw CocoaError(CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError))
        }
        var values = try remote.record.values()
        for relationship in remote.record.entity.relationshipsByName.values where !relationship.isToMany {
            values[relationship.name] = remote.record.names(relationship.name).first.flatMap(identifier) ?? NSNull()
        }
        let own = newObjectID(for: remote.record.entity, referenceObject: referenceObject(for: objectID))
        versions[own] = remote.version
        return NSIncrementalStoreNode(objectID: own, withValues: values, version: remote.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        guard let destination = relationship.destinationEntity else { return [NSManagedObjectID]() }
        if JSONRecord.isSaidByMembers(relationship), let inverse = relationship.inverseRelationship {
            return try pages(
                of: destination, ["field": inverse.name, "value": name(objectID)], offset: 0, limit: 0)
        }
        let kept = pages[objectID]
        let names = try read(objectID)?.record.names(relationship.name) ?? []
        pages[objectID] = kept
        let identifiers = names.compactMap(identifier)
        guard !identifiers.isEmpty else { return identifiers }
        // All members at once, so that none is asked for by itself.
        let ids = identifiers.map { "\(referenceObject(for: $0))" }.joined(separator: ",")
        let present = try Set(pages(of: destination, ["ids": ids], offset: 0, limit: 0))
        return identifiers.filter(present.contains)
    }

    // MARK: Writing

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        let answer = try service.ask("POST", "names", query: ["count": String(array.count)]).object
        guard let first = (answer["first"] as? NSNumber)?.int64Value ?? (answer["first"] as? Int).map(Int64.init) else {
            throw URLError(.cannotParseResponse)
        }
        return array.enumerated().map { number, object in
            newObjectID(for: object.entity, referenceObject: NSNumber(value: first + Int64(number)))
        }
    }

    private func write(_ save: NSSaveChangesRequest) throws -> Any {
        guard let inserted = save.insertedObjects else {
            try writeMetadata()
            return [Any]()
        }
        // Everything is read before anything is written: reading an object may ask this store.
        let records = inserted.union(save.updatedObjects ?? []).map { ($0, JSONRecord($0, name: name)) }
        let deleted = Array(save.deletedObjects ?? [])
        let changes =
            records.map { object, record in
                let isNew = inserted.contains(object) && versions[object.objectID] == nil
                return Change(
                    identifier: object.objectID, record: record, version: isNew ? 0 : versions[object.objectID])
            } + deleted.map { Change(identifier: $0.objectID, record: nil, version: versions[$0.objectID]) }
        let conflicts = try send(changes).map { place in
            conflict(of: place < records.count ? records[place].0 : deleted[place - records.count])
        }
        guard conflicts.isEmpty else {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSPersistentStoreSaveConflictsError,
                userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
        }
        for (object, record) in records { try releaseMembers(of: object, record) }
        return [Any]()
    }

    /// What is to become of a record; nil deletes it. `version` is the one that it must have, 0 for none.
    private struct Change {
        let identifier: NSManagedObjectID
        let record: JSONRecord?
        let version: UInt64?
    }

    /// Has the service carry changes out, all of them or none: gives the places of those that it refuses, since the records have
    /// other versions.
    private func send(_ changes: [Change]) throws -> [Int] {
        guard !changes.isEmpty else { return [] }
        let objects = changes.map { change in
            var object: [String: Any] = [
                "root": change.identifier.entity.root.name ?? "", "id": referenceObject(for: change.identifier),
            ]
            if let record = change.record {
                object["entity"] = record.entity.name ?? ""
                object["fields"] = record.fields
            }
            object["version"] = change.version
            return object
        }
        let body = try JSONSerialization.data(withJSONObject: ["changes": objects])
        let answer = try service.ask("POST", "changes", body: body, allowing: [412])
        func numbers(_ key: String) -> [UInt64] {
            (answer.object[key] as? [Any] ?? []).compactMap {
                ($0 as? NSNumber)?.uint64Value ?? ($0 as? Int).map(UInt64.init)
            }
        }
        guard answer.status != 412 else { return numbers("conflicts").map(Int.init).filter(changes.indices.contains) }
        let versions = numbers("versions")
        guard versions.count == changes.count else { throw URLError(.cannotParseResponse) }
        for (change, version) in zip(changes, versions) {
            self.versions[change.identifier] = change.record == nil ? nil : version
            // What was written is what a question would give now.
            pages[change.identifier] = change.record.map { Remote(record: $0, version: version) }
        }
        return []
    }

    private func conflict(of object: NSManagedObject) -> NSMergeConflict {
        pages[object.objectID] = nil
        return NSMergeConflict(
            source: object, newVersion: 0, oldVersion: Int(versions[object.objectID] ?? 0), cachedSnapshot: nil,
            persistedSnapshot: nil)
    }

    /// Without an inverse a member has one owner: the last that it came to.
    private func releaseMembers(of object: NSManagedObject, _ record: JSONRecord) throws {
        for relationship in record.entity.relationshipsByName.values
        where relationship.isToMany && relationship.inverseRelationship == nil {
            for member in record.names(relationship.name) {
                let query = ["field": relationship.name, "value": member]
                for (owner, remote) in try page(of: record.entity, query).records where owner != object.objectID {
                    var fields = remote.record.fields
                    fields[relationship.name] = remote.record.names(relationship.name).filter { $0 != member }
                    let released = JSONRecord(entity: remote.record.entity, fields: fields)
                    _ = try send([Change(identifier: owner, record: released, version: remote.version)])
                }
            }
        }
    }
}
