import CoreData

/// Finds the objects that imported ones are to become, by the values that the store had before and has got since.
///
/// The values of a scope are read once, in one walk over the rows, and looked up in the ledger.
final class MatchIndex {
    private let progress: ImportProgress
    private var numbers: [MatchScope: Int] = [:]
    /// Objects of the present portion, whose values the ledger does not have yet.
    private var pending: [Key: NSManagedObject] = [:]
    /// The keys of rows that are not saved yet.
    private var pendingRows: [Key: ImportLedger.Place] = [:]

    struct Key: Hashable {
        let scope: Int
        let value: ExactText

        init(scope: Int, value: String) {
            self.scope = scope
            self.value = ExactText(value)
        }
    }

    init(_ progress: ImportProgress) { self.progress = progress }

    /// The object that a record is to become, nil for a new one, and the keys under which it will be found.
    ///
    /// `save` makes objects of what are unsaved rows so far.
    /// - Throws: `InspectionError` where several objects have the values.
    func find(
        _ record: ImportRecord, _ entity: ImportEntity, saving save: () throws -> Void
    ) throws -> (object: NSManagedObject?, keys: [Key]) {
        if let counterpart = progress.counterpart {
            let place = try record.label.flatMap { try counterpart($0) }
            return (try place.map { try checked(progress.object(at: $0), entity) }, [])
        }
        if progress.request.match == .identifier { return (try objectOfLabel(record, entity), []) }
        let scopes = try record.mapped?.scopes ?? entity.scopes()
        guard !scopes.isEmpty else { return (nil, []) }
        let values = Dictionary(record.members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        var keys: [Key] = []
        for scope in scopes {
            let text = try scope.text { stored(try values[$0.name]?.value(for: $0)) }
            if let text { keys.append(Key(scope: try number(of: scope), value: text)) }
        }
        if keys.contains(where: { pendingRows[$0] != nil }) { try save() }
        for key in keys {
            if let object = pending[key] { return (try checked(object, entity), keys) }
            guard let place = try progress.ledger.match(key.value.text, scope: key.scope) else { continue }
            guard place.key > 0 else {
                throw InspectionError(
                    .badValue, subject: "match", cause: "several objects of the store have its values")
            }
            return (try checked(progress.object(at: place), entity), keys)
        }
        return (nil, keys)
    }

    /// A value as the store has it once it is saved.
    private func stored(_ value: Any?) -> Any? {
        guard let number = value as? NSDecimalNumber, progress.store.store.objects?.roundsDecimals == true else {
            return value
        }
        return NSDecimalNumber(decimal: KeptDecimal.rounded(number.decimalValue))
    }

    /// Lets an object be found from here on.
    func add(_ object: NSManagedObject, _ keys: [Key]) { for key in keys { pending[key] = object } }

    /// Lets a row be found when it is saved.
    func addRow(_ keys: [Key], _ place: ImportLedger.Place) { for key in keys { pendingRows[key] = place } }

    /// Forgets a row that was not saved.
    func removeRow(_ keys: [Key]) { for key in keys { pendingRows[key] = nil } }

    /// Puts what is known of the portion into the ledger.
    func flush() throws {
        for (key, place) in pendingRows { try progress.ledger.note(key.value.text, scope: key.scope, place) }
        pendingRows = [:]
        for (key, object) in pending where object.managedObjectContext != nil {
            try progress.ledger.note(key.value.text, scope: key.scope, ImportLedger.Place(object))
        }
        pending = [:]
    }

    private func checked(_ object: NSManagedObject, _ entity: ImportEntity) throws -> NSManagedObject {
        guard object.entity === entity.description else {
            throw InspectionError(
                .badValue, subject: "match",
                cause: "the object of the store with its values is of entity '\(object.entity.name ?? "")'"
            )
        }
        return object
    }

    /// The object of the store that has the record's address.
    private func objectOfLabel(_ record: ImportRecord, _ entity: ImportEntity) throws -> NSManagedObject? {
        guard let label = record.label, let id = try? progress.store.objectID(at: label),
            let object = try? progress.store.context.existingObject(with: id)
        else { return nil }
        return try checked(object, entity)
    }

    /// The number of a scope, whose rows are read the first time.
    private func number(of scope: MatchScope) throws -> Int {
        if let known = numbers[scope] { return known }
        let number = numbers.count
        numbers[scope] = number
        try read(scope, as: number)
        return number
    }

    private func read(_ scope: MatchScope, as number: Int) throws {
        let store = progress.store
        guard let objects = store.store.objects else { return }
        let query = try store.storeQuery(ObjectQuery(scope.entity))
        let stream = try store.namingFile { try objects.rowStream(query) }
        while true {
            try ReadCancellation.check()
            let runs = try store.namingFile { try stream.next(250) }
            guard !runs.isEmpty else { return }
            for run in runs {
                let layout = run.slab.layout
                for index in run.range {
                    let text = scope.text { attribute in
                        guard case .attribute(let slot)? = layout.places[attribute.name] else { return nil }
                        // What cannot be read is not a value by which an object could be found.
                        return try? SlotCoding.value(
                            of: run.slab.storedValue(index, slot), AttributeKind(attribute), attribute, from: objects)
                    }
                    guard let text else { continue }
                    try progress.ledger.note(
                        text, scope: number, .init(entity: layout.number, key: run.slab.key(index)))
                }
            }
        }
    }
}
