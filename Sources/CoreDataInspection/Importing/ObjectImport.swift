import CoreData

/// The first pass of an import: makes the objects, gives them their attributes, and leads those of their to-one
/// relationships to their targets that are there already. What is left of the relationships goes into the ledger.
final class ObjectImport {
    /// An object of the present portion.
    private struct Draft {
        let object: NSManagedObject
        let file: Int
        let record: ImportRecord
        let isNew: Bool
        var isChanged: Bool
        /// Relationships whose targets are not there yet.
        let links: [ImportRecord.Member]
    }

    private let progress: ImportProgress
    private let index: MatchIndex
    /// After how many objects the portion is saved; nil where all are saved at the end.
    private let portion: Int?
    private var drafts: [Draft] = []
    /// The objects of the portion by their labels.
    private var labelled: [String: NSManagedObject] = [:]
    private(set) var count = 0

    private var store: OpenStore { progress.store }

    init(_ progress: ImportProgress, portion: Int?) {
        self.progress = progress
        self.portion = portion
        index = MatchIndex(progress)
    }

    /// Takes one record; a refused one leaves no trace but its refusal.
    func take(_ record: ImportRecord, file: Int) throws {
        do {
            try add(record, file)
        } catch let error as NSError where !(error is InspectionError) && error.domain != NSCocoaErrorDomain {
            throw error
        } catch {
            try progress.refuse(file: file, line: record.line, error)
        }
        count += 1
        if let portion, drafts.count >= portion { try flush() }
    }

    private func add(_ given: ImportRecord, _ file: Int) throws {
        var record = given
        for number in record.members.indices {
            guard let name = progress.request.renames[record.members[number].key] else { continue }
            record.members[number].key = name
        }
        try record.checkKeys()
        let entity = try entity(of: record)
        let (match, keys) = try index.find(record, entity)
        if let label = record.label, labelled[label] != nil {
            throw InspectionError(
                .badValue, PrintableText.escaped(label, limit: 120), "another object of the import has this address")
        }
        let object =
            match ?? ImportedObject(entity: entity.description, insertInto: store.context)
        do {
            var draft = Draft(
                object: object, file: file, record: record, isNew: match == nil, isChanged: false,
                links: try assign(record, to: object, entity, isNew: match == nil))
            draft.isChanged = object.hasChanges
            if draft.isNew { try object.validateForInsert() } else if draft.isChanged { try object.validateForUpdate() }
            drafts.append(draft)
        } catch {
            takeBack(object, isNew: match == nil)
            throw error
        }
        index.add(object, keys)
        if let label = record.label { labelled[label] = object }
    }

    private func takeBack(_ object: NSManagedObject, isNew: Bool) {
        if isNew { store.context.delete(object) } else { store.context.refresh(object, mergeChanges: false) }
    }

    private func entity(of record: ImportRecord) throws -> ImportEntity {
        guard let name = record.entity ?? progress.request.entity ?? record.fileEntity else {
            throw InspectionError(
                .unknownEntity, "objects", "the object names no entity", hint: "say of which it is: --entity NAME")
        }
        return try progress.entity(named: name)
    }

    /// Gives an object its values; gives the relationships that have to wait.
    private func assign(
        _ record: ImportRecord, to object: NSManagedObject, _ entity: ImportEntity, isNew: Bool
    ) throws -> [ImportRecord.Member] {
        var links: [ImportRecord.Member] = []
        for member in record.members {
            if record.isTable, case .null = member.value, entity.properties[member.key] == nil { continue }
            switch try entity.property(member.key) {
            case .made(let kind):
                guard !record.isExported else { continue }
                throw InspectionError(
                    .badValue, member.key, "the property is \(kind) and cannot be set", hint: "leave it out")
            case .attribute(let attribute): try set(member.value, attribute, of: object, isNew: isNew)
            case .relationship(let relationship):
                if try !link(member, relationship, of: object, isNew: isNew) { links.append(member) }
            }
        }
        return links
    }

    private func set(
        _ given: ImportRecord.Value, _ attribute: NSAttributeDescription, of object: NSManagedObject, isNew: Bool
    ) throws {
        let value = try given.value(for: attribute)
        if !isNew {
            // Setting an equal value would still count as a change and write the row.
            let before = store.reader.read(attribute, of: object)
            guard !before.isSame(as: store.reader.reading(value, attribute)) else { return }
        }
        do {
            try object.requireSettable(value, attribute.name)
        } catch {
            throw InspectionError(.badValue, attribute.name, ErrorText.line(for: error))
        }
        object.setValue(value, forKey: attribute.name)
    }

    /// Leads a relationship to what is there already; false where it has to wait.
    private func link(
        _ member: ImportRecord.Member, _ relationship: NSRelationshipDescription, of object: NSManagedObject,
        isNew: Bool
    ) throws -> Bool {
        let labels = try member.value.labels(for: relationship)
        if isNew, labels.isEmpty { return true }
        guard isNew, !relationship.isToMany, relationship.inverseRelationship?.isOrdered != true else { return false }
        let known = try labelled[labels[0]].map { try ImportProgress.checked($0, of: relationship) }
        guard let target = try known ?? progress.target(labels[0], of: relationship) else { return false }
        object.setValue(target, forKey: relationship.name)
        return true
    }

    // MARK: Portions

    /// Saves the portion, if portions are saved, and notes in the ledger what the second pass needs.
    func flush() throws {
        if portion != nil { try save() }
        try noteDrafts()
        try index.flush()
        drafts = []
        labelled = [:]
        if portion != nil { store.context.reset() }
    }

    private func noteDrafts() throws {
        if portion == nil { try store.context.obtainPermanentIDs(for: Array(store.context.insertedObjects)) }
        for draft in drafts {
            let place = ImportLedger.Place(draft.object)
            let name = draft.object.entity.name ?? ""
            if draft.isNew {
                progress.counts[name, default: .init()].inserted += 1
            } else if draft.isChanged {
                progress.counts[name, default: .init()].updated += 1
            } else {
                progress.counts[name, default: .init()].unchanged += 1
            }
            if let label = draft.record.label, try !progress.ledger.name(label, place) {
                try progress.refuse(
                    file: draft.file, line: draft.record.line,
                    InspectionError(
                        .badValue, PrintableText.escaped(label, limit: 120),
                        "another object of the import has this address"))
            }
            let entity = try progress.entity(named: name)
            let isIncomplete = !entity.demanding.isEmpty && entity.lack(of: draft.object) != nil
            if isIncomplete { try progress.ledger.check(place) }
            guard isIncomplete || !draft.links.isEmpty else { continue }
            try progress.ledger.note(
                Self.text(draft.links, entity), of: place, file: draft.file, line: draft.record.line,
                isUnchanged: !draft.isNew && !draft.isChanged)
        }
    }

    /// The labels of relationships by name, as JSON.
    private static func text(_ links: [ImportRecord.Member], _ entity: ImportEntity) throws -> String {
        let members = try links.compactMap { link -> (String, JSONValue)? in
            guard case .relationship(let relationship) = try entity.property(link.key) else { return nil }
            return (link.key, .array(try link.value.labels(for: relationship).map { .string($0) }))
        }
        return JSONWriter.line(.object(members))
    }

    /// Saves; objects whose unique values others have are refused, the others saved without them.
    private func save() throws {
        while store.context.hasChanges {
            do {
                return try store.context.save()
            } catch let error as NSError {
                let conflicts = error.userInfo[CoreDataError.conflictListKey] as? [NSConstraintConflict] ?? []
                guard error.code == NSManagedObjectConstraintMergeError, !conflicts.isEmpty else {
                    throw SaveFailure(error, naming: { $0.objectID.shortText }).inspectionError(store.facts.url)
                }
                try refuse(conflicts)
            }
        }
    }

    private func refuse(_ conflicts: [NSConstraintConflict]) throws {
        let before = drafts.count
        for conflict in conflicts {
            // Of objects of one portion with the same values the first keeps them.
            let own = conflict.conflictingObjects
            let order = drafts.filter { draft in own.contains { $0 === draft.object } }
            for draft in order.dropFirst(conflict.databaseObject == nil && order.count > 1 ? 1 : 0) {
                takeBack(draft.object, isNew: draft.isNew)
                drafts.removeAll { $0.object === draft.object }
                let names = conflict.constraint.joined(separator: ", ")
                try progress.refuse(
                    file: draft.file, line: draft.record.line,
                    InspectionError(
                        .badValue, names, "another object has these values, which must be unique",
                        hint: "--match constraint changes the object that has them"))
            }
        }
        guard drafts.count < before else {
            throw InspectionError(.badValue, store.facts.url.path, "unique values are in each other's way")
        }
    }
}
