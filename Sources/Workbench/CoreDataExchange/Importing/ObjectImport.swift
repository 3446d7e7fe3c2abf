import CoreData

/// The first pass of an import: makes the objects, sets their attributes, and connects their to-one
/// relationships to existing targets. The remaining relationships are added to the ledger.
///
/// New objects are rows from the beginning where they can be (`RowImport`). Of values that must be unique the first object
/// of the files that has them keeps them, whichever it is: rows and objects are not mixed where that could differ.
final class ObjectImport {
    /// An object of the present portion.
    private struct PendingObject {
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
    /// After how many objects, or bytes of the files, the portion is saved; nil where all are saved at the end.
    private let portion: Int?
    private static let mostBytes = 4 << 20
    private let rows: RowImport
    private let unchanged: UnchangedRecords
    private var pendingObjects: [PendingObject] = []
    private var bytes = 0
    /// The objects of the portion by their labels.
    private var labelled: [String: NSManagedObject] = [:]
    /// The root entities of objects of the portion whose values that must be unique are new.
    private var uniqueRoots: Set<Int> = []
    private(set) var count = 0
    /// The objects of the portion that were refused, of which the context knows until it is reset.
    private var takenBack = 0

    private var store: OpenStore { progress.store }

    init(_ progress: ImportProgress, portion: Int?) {
        self.progress = progress
        self.portion = portion
        index = MatchIndex(progress)
        rows = RowImport(progress)
        unchanged = UnchangedRecords(progress)
    }

    /// Takes one record, after those of the objects that it leads to; a refused one leaves no trace but its refusal.
    func take(_ given: ImportRecord, file: Int) throws {
        var record = given
        record.leaveOut(progress.request.leftOut)
        record.rename(progress.request.renames)
        try refusing(record, file: file) {
            if let failure = record.failure { throw failure }
            let entity = try entity(of: record)
            let record = entity.elements.gathered(record)
            var found = try index.find(record, entity, saving: saveFormer)
            try record.mapped?.check(isThere: found.match != nil)
            if !record.related.isEmpty, found.match == nil || record.mapped?.existing != .keep {
                if found.match == nil { try requireReadable(record, entity) }
                try takeRelated(of: record, file: file)
                // A portion may have been saved since.
                found = try index.find(record, entity, saving: saveFormer)
            }
            if try unchanged.take(record, file: file, entity: entity, found, isClean: pendingObjects.isEmpty) { return }
            if !unchanged.isEmpty {
                do { try takeChanged() } catch { throw Failure(cause: error) }
                found = try index.find(record, entity, saving: saveFormer)
            }
            if found.match == nil, try takeRow(record, file: file, entity: entity, keys: found.keys) { return }
            try add(record, file: file, entity: entity, found: found)
        }
        count += 1
        if unchanged.isFull { try takeChanged() }
        guard let portion else { return }
        if rows.isFull || pendingObjects.count + takenBack >= portion || bytes >= Self.mostBytes { try flush() }
    }

    private func takeRelated(of record: ImportRecord, file: Int) throws {
        for var related in record.related {
            // What is refused of it is refused of the whole.
            (related.line, related.number) = (record.line, record.number)
            do { try take(related, file: file) } catch { throw Failure(cause: error) }
        }
    }

    /// Makes objects of the records that change something, of those that wait to be compared.
    private func takeChanged() throws {
        for changed in try unchanged.compared() {
            try refusing(changed.record, file: changed.file) {
                try add(changed.record, file: changed.file, entity: changed.entity, found: changed.found)
            }
        }
    }

    /// What ends the import, whichever record it met.
    private struct Failure: Error {
        let cause: any Error
    }

    /// Runs a block about a record, which is refused where the block throws something about it.
    private func refusing(_ record: ImportRecord, file: Int, body: () throws -> Void) throws {
        do {
            try body()
        } catch let failure as Failure {
            throw failure.cause
        } catch let error as InspectionError where error.code == .unreadable {
            throw error
        } catch let error as NSError where !(error is InspectionError) && error.domain != NSCocoaErrorDomain {
            throw error
        } catch {
            try progress.refuse(file: file, line: record.position, error)
        }
    }

    /// Saves what came before a record.
    private func saveFormer() throws {
        do { try flush() } catch { throw Failure(cause: error) }
    }

    /// Makes a row of a record; false where it has to be an object.
    private func takeRow(
        _ record: ImportRecord, file: Int, entity: ImportEntity, keys: [MatchIndex.Key]
    ) throws -> Bool {
        guard let form = entity.rows, record.label.map({ labelled[$0] == nil }) ?? true else { return false }
        if form.isUnique, uniqueRoots.contains(form.layout.root) { try saveFormer() }
        guard let place = try rows.take(record, file: file, entity: entity, keys: keys) else { return false }
        index.addRow(keys, place)
        return true
    }

    private func add(
        _ record: ImportRecord, file: Int, entity: ImportEntity, found: MatchIndex.Found
    ) throws {
        try record.checkKeys()
        let known = object(found.match)
        try requireFree(record.label, for: known)
        let isNew = known == nil
        if isNew { try requireReadable(record, entity) }
        let object = known ?? inserted(entity)
        do {
            let isKept = !isNew && record.mapped?.existing == .keep
            var pending = PendingObject(
                object: object, file: file, record: record, isNew: isNew, isChanged: false,
                links: isKept ? [] : try assign(record, to: object, entity, isNew: isNew))
            pending.isChanged = object.hasChanges
            try AbsentMembers.passingOver(in: object.entity) {
                if isNew { try object.validateForInsert() } else if pending.isChanged { try object.validateForUpdate() }
            }
            pendingObjects.append(pending)
            bytes += record.size
        } catch {
            takeBack(object, isNew: isNew)
            throw error
        }
        index.add(object, found.keys)
        if let label = record.label { labelled[label] = object }
        try noteUniqueness(of: object, entity, isNew: isNew)
    }

    private func object(_ match: MatchIndex.Match?) -> NSManagedObject? {
        switch match {
        case .object(let object): object
        case .place(let place): progress.object(at: place)
        case nil: nil
        }
    }

    private func inserted(_ entity: ImportEntity) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: store.context)
        if store.coordinator.persistentStores.count > 1 { store.context.assign(object, to: store.store) }
        return object
    }

    /// Throws where a label stands for another object than the one that a record is to become.
    private func requireFree(_ label: String?, for object: NSManagedObject?) throws {
        guard let label else { return }
        let known = try progress.ledger.place(named: label)
        let isTaken =
            labelled[label].map { $0 !== object } ?? (known != nil && known != object.map(ImportLedger.Place.init))
        guard isTaken else { return }
        throw InspectionError(
            .badValue, subject: PrintableText.escaped(label, limit: 120),
            cause: "another object of the import has this address")
    }

    /// Saves the rows that came before an object whose values must be unique, as those that come first keep them.
    private func noteUniqueness(of object: NSManagedObject, _ entity: ImportEntity, isNew: Bool) throws {
        guard portion != nil, !entity.constrained.isEmpty else { return }
        guard isNew || object.changedValues().keys.contains(where: entity.constrained.contains) else { return }
        uniqueRoots.insert(object.layout.root)
        if rows.uniqueRoots.contains(object.layout.root) { try saveFormer() }
    }

    /// Throws if a value is invalid for its property, before making an object: making one and undoing that takes much longer.
    private func requireReadable(_ record: ImportRecord, _ entity: ImportEntity) throws {
        for member in record.members {
            if record.isTable, case .null = member.value, entity.properties[member.key] == nil { continue }
            if case .attribute(let attribute) = try entity.property(member.key) {
                _ = try member.value.held(for: attribute, AttributeKind(attribute))
            }
        }
    }

    private func takeBack(_ object: NSManagedObject, isNew: Bool) {
        takenBack += 1
        if isNew { store.context.delete(object) } else { store.context.refresh(object, mergeChanges: false) }
    }

    private func entity(of record: ImportRecord) throws -> ImportEntity {
        guard let name = record.entity ?? progress.request.entity ?? record.fileEntity else {
            throw InspectionError(
                .unknownEntity, subject: "objects", cause: "the object names no entity",
                hint: "say of which it is: --entity NAME")
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
            case .made(let property):
                guard !record.isExported else { continue }
                try SettableProperty.require(property)
            case .attribute(let attribute):
                try progress.editor.set(member.value, attribute, of: object, isNew: isNew)
            case .relationship(let relationship):
                if try !link(member, relationship, of: object, isNew: isNew) { links.append(member) }
            }
        }
        return links
    }

    /// Connects a relationship to existing objects; false if it has to wait.
    ///
    /// What changes the target too waits, for rows and objects alike: of many that lead to an object with room for few,
    /// the first of the files do.
    private func link(
        _ member: ImportRecord.Member, _ relationship: NSRelationshipDescription, of object: NSManagedObject,
        isNew: Bool
    ) throws -> Bool {
        let labels = try member.labels(for: relationship)
        if isNew, labels.isEmpty { return true }
        guard isNew, !relationship.isToMany else { return false }
        let isInRowAlone = progress.isInRowAlone(relationship)
        let known = labelled[labels[0]]
        if let known, !isInRowAlone {
            try PropertyEditor.requireTarget(known.entity, of: relationship)
            return false
        }
        // A row that is not saved may still have to become an object, of another key.
        if known == nil, let place = try progress.place(named: labels[0]), !isInRowAlone || rows.isUnsaved(place) {
            try PropertyEditor.requireTarget(progress.model.entities[place.entity].entity, of: relationship)
            return false
        }
        guard isInRowAlone, let target = try known ?? progress.target(labels[0], of: relationship) else { return false }
        try progress.editor.lead(relationship, of: object, to: [target])
        return true
    }

    // MARK: Portions

    /// Saves the portion, if portions are saved, and notes in the ledger what the second pass needs.
    func flush() throws {
        try takeChanged()
        for row in try rows.flush() {
            index.removeRow(row.keys)
            try refusing(row.record, file: row.file) {
                try add(
                    row.record, file: row.file, entity: row.entity,
                    found: index.find(row.record, row.entity, saving: {}))
            }
        }
        if portion != nil { try save() }
        try noteDrafts()
        try index.flush()
        (pendingObjects, bytes, takenBack) = ([], 0, 0)
        labelled = [:]
        uniqueRoots = []
        if portion != nil { store.context.reset() }
    }

    private func noteDrafts() throws {
        if portion == nil { try store.context.obtainPermanentIDs(for: Array(store.context.insertedObjects)) }
        for pending in pendingObjects {
            let place = ImportLedger.Place(pending.object)
            let name = pending.object.entity.name ?? ""
            if pending.isNew {
                progress.counts[name, default: .init()].inserted += 1
                progress.samples.add(pending.record, entity: name)
            } else if pending.isChanged {
                progress.counts[name, default: .init()].updated += 1
                progress.samples.add(pending.record, entity: name, updated: pending.object.objectID)
            } else {
                progress.counts[name, default: .init()].unchanged += 1
            }
            if let label = pending.record.label, try !progress.ledger.name(label, place) {
                try progress.refuse(
                    file: pending.file, line: pending.record.position,
                    InspectionError(
                        .badValue, subject: PrintableText.escaped(label, limit: 120),
                        cause: "another object of the import has this address"))
            }
            let entity = try progress.entity(named: name)
            let isIncomplete = !entity.demanding.isEmpty && entity.lack(of: pending.object) != nil
            if isIncomplete { try progress.ledger.check(place, origin: (pending.file, pending.record.position)) }
            guard isIncomplete || !pending.links.isEmpty else { continue }
            progress.ledger.note(
                try entity.text(pending.links), of: place, file: pending.file, line: pending.record.position,
                isUnchanged: !pending.isNew && !pending.isChanged)
        }
        try progress.ledger.keepLinks()
    }

    /// Saves; objects whose unique values others have are refused, the others saved without them.
    private func save() throws {
        while store.context.hasChanges {
            do {
                return try store.context.save()
            } catch let error as NSError {
                let conflicts = error.userInfo[CoreDataError.conflictListKey] as? [NSConstraintConflict] ?? []
                guard error.code == NSManagedObjectConstraintMergeError, !conflicts.isEmpty else {
                    throw SaveFailure(error, naming: { $0.objectID.shortText }).error(at: store.facts.url)
                }
                try refuse(conflicts)
            }
        }
    }

    private func refuse(_ conflicts: [NSConstraintConflict]) throws {
        let before = pendingObjects.count
        for conflict in conflicts {
            // Of objects of one portion with the same values the first keeps them.
            let own = conflict.conflictingObjects
            let order = pendingObjects.filter { pending in own.contains { $0 === pending.object } }
            for pending in order.dropFirst(conflict.databaseObject == nil && order.count > 1 ? 1 : 0) {
                takeBack(pending.object, isNew: pending.isNew)
                pendingObjects.removeAll { $0.object === pending.object }
                let names = conflict.constraint.joined(separator: ", ")
                try progress.refuse(
                    file: pending.file, line: pending.record.position,
                    InspectionError(
                        .badValue, subject: names, cause: "another object has these values, which must be unique",
                        hint: "--match constraint changes the object that has them"))
            }
        }
        guard pendingObjects.count < before else {
            throw InspectionError(
                .badValue, subject: store.facts.url.place, cause: "unique values are in each other's way")
        }
    }
}
