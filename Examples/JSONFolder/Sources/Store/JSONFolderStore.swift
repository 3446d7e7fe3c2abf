import CoreData

/// A store in a folder of JSON files, one a record, which people edit by hand and keep in git.
///
/// Every file is read when it is asked for, so that what somebody wrote meanwhile is seen by the next fetch or refresh. A
/// record whose file was changed since it was last read is a conflict when it is saved.
final class JSONFolderStore: NSIncrementalStore, @unchecked Sendable {
    static let storeType = "JSONFolder"

    private var folder: RecordFolder { RecordFolder(url: url ?? URL(fileURLWithPath: "/")) }
    /// The versions that were last handed out, by the records' names.
    private var versions: [String: UInt64] = [:]
    /// The files that a fetch could not read, and why.
    private(set) var problems: [String: String] = [:]

    override var type: String { Self.storeType }
    override var capabilities: Capabilities { [.durable, .exactDecimals, .namesRecords] }

    static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(JSONFolderStore.self, forStoreType: storeType)
    }

    private var model: NSManagedObjectModel? { persistentStoreCoordinator?.managedObjectModel }

    override func loadMetadata() throws {
        if let known = try folder.metadata() {
            metadata = known
            return
        }
        let kept = Set((model?.entities(forConfigurationName: configurationName) ?? model?.entities ?? []).map(\.name))
        metadata = [
            NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: UUID().uuidString,
            NSStoreModelVersionHashesKey: (model?.entityVersionHashesByName ?? [:]).filter { kept.contains($0.key) },
        ]
        try folder.write(metadata: metadata)
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        guard let known = try RecordFolder(url: url).metadata() else {
            throw RecordFolder.unreadable(url, "there is no store")
        }
        return known
    }

    // MARK: Requests

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let save as NSSaveChangesRequest: return try write(save)
        case let fetch as UntypedFetchRequest where fetch.resultType != .dictionaryResultType:
            let found = try find(fetch)
            return fetch.resultType == .countResultType ? [NSNumber(value: found.count)] : found
        default: throw CocoaError(CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError))
        }
    }

    /// What a fetch finds, looked at by a context that knows no unsaved changes.
    private func find(_ fetch: UntypedFetchRequest) throws -> [NSManagedObjectID] {
        guard let wanted = fetch.entity else { return [] }
        let entities = fetch.includesSubentities ? family(wanted) : [wanted]
        let identifiers = entities.flatMap { entity in
            folder.names(entity.name ?? "").filter { isReadable($0, entity) }.map { identifier($0, entity) }
        }
        guard fetch.predicate != nil || fetch.sortDescriptors?.isEmpty == false else {
            return window(identifiers, fetch)
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context.performAndWait {
            let objects = identifiers.map { context.object(with: $0) }
            let matching = objects.filter { fetch.predicate?.evaluate(with: $0) ?? true }
            return window(matching.sorted(using: fetch.sortDescriptors ?? []).map(\.objectID), fetch)
        }
    }

    private func window(_ found: [NSManagedObjectID], _ fetch: UntypedFetchRequest) -> [NSManagedObjectID] {
        let rest = found.dropFirst(max(0, fetch.fetchOffset))
        return Array(fetch.fetchLimit > 0 ? rest.prefix(fetch.fetchLimit) : rest)
    }

    private func family(_ entity: NSEntityDescription) -> [NSEntityDescription] {
        [entity] + entity.subentities.flatMap(family)
    }

    /// Notes a file that cannot be read, and leaves it out: the others can be used all the same.
    private func isReadable(_ name: String, _ entity: NSEntityDescription) -> Bool {
        do {
            if let file = try folder.read(name) {
                do { _ = try JSONRecord(entity: entity, fields: file.fields).values() } catch {
                    throw RecordFolder.unreadable(try folder.place(name), "\(error)")
                }
            }
            problems[name] = nil
            return true
        } catch {
            if problems.updateValue(error.localizedDescription, forKey: name) == nil {
                FileHandle.standardError.write(Data("JSONFolder: \(error.localizedDescription)\n".utf8))
            }
            return false
        }
    }

    // MARK: Records

    private func name(_ identifier: NSManagedObjectID) -> String { referenceObject(for: identifier) as? String ?? "" }

    private func identifier(_ name: String, _ entity: NSEntityDescription) -> NSManagedObjectID {
        newObjectID(for: entity, referenceObject: name)
    }

    /// The entity that a name begins with, if a relationship can lead there.
    private func entity(of name: String, within destination: NSEntityDescription) -> NSEntityDescription {
        let own = name.split(separator: "/").first.flatMap { model?.entitiesByName[String($0)] }
        return own.flatMap { $0.isKindOf(entity: destination) ? $0 : nil } ?? destination
    }

    private func record(_ name: String) throws -> (JSONRecord, UInt64)? {
        guard let entity = name.split(separator: "/").first.flatMap({ model?.entitiesByName[String($0)] }),
            let file = try folder.read(name)
        else { return nil }
        return (JSONRecord(entity: entity, fields: file.fields), file.version)
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let name = name(objectID)
        guard name.split(separator: "/").count == 2, let (record, version) = try record(name) else {
            versions[name] = nil
            throw CocoaError(CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError))
        }
        var values: [String: Any]
        do { values = try record.values() } catch { throw RecordFolder.unreadable(try folder.place(name), "\(error)") }
        for relationship in record.entity.relationshipsByName.values where !relationship.isToMany {
            let target = record.names(relationship.name).first
            values[relationship.name] =
                target.flatMap { target in
                    relationship.destinationEntity.map { identifier(target, entity(of: target, within: $0)) }
                } ?? NSNull()
        }
        versions[name] = version
        return NSIncrementalStoreNode(
            objectID: identifier(name, record.entity), withValues: values, version: version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        guard let destination = relationship.destinationEntity else { return [NSManagedObjectID]() }
        let name = name(objectID)
        let names: [String]
        if JSONRecord.isSaidByMembers(relationship), let inverse = relationship.inverseRelationship {
            names = family(destination).flatMap { folder.names($0.name ?? "") }.filter { member in
                ((try? record(member)) ?? nil)?.0.names(inverse.name).first == name
            }
        } else {
            names = try record(name)?.0.names(relationship.name) ?? []
        }
        let present = try names.filter { try folder.bytes($0) != nil }
        return present.map { identifier($0, entity(of: $0, within: destination)) }
    }

    /// A name that says what the record is, and that no record has had.
    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { object in
            let title = ["name", "title"].first {
                object.entity.attributesByName[$0]?.attributeType == .stringAttributeType
            }
            let text = title.flatMap { object.primitiveValue(forKey: $0) as? String } ?? ""
            let words = text.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.joined(separator: "-")
            let mark = String(UInt64.random(in: 1 << 30..<1 << 40), radix: 36)
            let file = words.isEmpty ? mark : "\(words.prefix(40))-\(mark)"
            return identifier("\(object.entity.name ?? "")/\(file)", object.entity)
        }
    }

    // MARK: Saving

    private func write(_ save: NSSaveChangesRequest) throws -> Any {
        guard let inserted = save.insertedObjects else {
            try folder.write(metadata: metadata)
            return [Any]()
        }
        let (updated, deleted) = (save.updatedObjects ?? [], save.deletedObjects ?? [])
        try refuseForeignChanges(updated.union(deleted).union(save.lockedObjects ?? []))
        // Everything is read before anything is written: reading an object may ask this store.
        let written = inserted.union(updated).map { (name($0.objectID), JSONRecord($0, name: name).fields) }
        let names = written.map(\.0) + deleted.map { name($0.objectID) }
        let former = try names.map { ($0, try folder.bytes($0)) }
        do {
            for (name, fields) in written { try folder.write(fields, as: name) }
            for object in deleted { try folder.remove(name(object.objectID)) }
            for (name, fields) in written { try releaseMembers(of: name, fields) }
        } catch {
            for (name, bytes) in former { try? folder.restore(bytes, as: name) }
            throw error
        }
        return [Any]()
    }

    /// Refuses to write over files that somebody changed since they were last read.
    private func refuseForeignChanges(_ objects: Set<NSManagedObject>) throws {
        let conflicts = try objects.compactMap { object -> NSMergeConflict? in
            let name = name(object.objectID)
            let present = try folder.read(name)?.version ?? 0
            guard let known = versions[name], known != present else { return nil }
            return NSMergeConflict(
                source: object, newVersion: Int(truncatingIfNeeded: present),
                oldVersion: Int(truncatingIfNeeded: known),
                cachedSnapshot: nil, persistedSnapshot: nil)
        }
        guard !conflicts.isEmpty else { return }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSPersistentStoreSaveConflictsError,
            userInfo: [
                NSPersistentStoreSaveConflictsErrorKey: conflicts,
                NSLocalizedDescriptionKey: "Files were changed by hand since they were read.",
            ])
    }

    /// Without an inverse a member has one owner: the last that it came to.
    private func releaseMembers(of name: String, _ fields: [String: Any]) throws {
        guard let entity = name.split(separator: "/").first.flatMap({ model?.entitiesByName[String($0)] }) else {
            return
        }
        for relationship in entity.relationshipsByName.values
        where relationship.isToMany && relationship.inverseRelationship == nil {
            let members = Set(fields[relationship.name] as? [String] ?? [])
            for other in family(entity.root).flatMap({ folder.names($0.name ?? "") }) where other != name {
                guard let (record, _) = try record(other), !members.isDisjoint(with: record.names(relationship.name))
                else { continue }
                var changed = record.fields
                changed[relationship.name] = record.names(relationship.name).filter { !members.contains($0) }
                try folder.write(changed, as: other)
            }
        }
    }

    // MARK: Watching

    /// The versions of all files by the records' names, for whoever looks for changes.
    func snapshot() -> [String: UInt64] {
        (model?.entities ?? []).flatMap { folder.names($0.name ?? "") }.reduce(into: [:]) { versions, name in
            versions[name] = ((try? folder.read(name)) ?? nil)?.version ?? 0
        }
    }

    /// The identifier of the record with a name; nil for one of no entity.
    func identifier(named name: String) -> NSManagedObjectID? {
        guard let entity = name.split(separator: "/").first.flatMap({ model?.entitiesByName[String($0)] }) else {
            return nil
        }
        return identifier(name, entity)
    }
}
