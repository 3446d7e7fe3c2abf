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

    /// What a record is to become, as far as it is there, and the keys under which it will be found.
    struct Found {
        /// Nil for a new object.
        var match: Match?
        let keys: [Key]
    }

    enum Match {
        case object(NSManagedObject)
        /// A row of the store, of which no object has been made for its values.
        case place(ImportLedger.Place)
    }

    struct Key: Hashable {
        let scope: Int
        let value: ExactText

        init(scope: Int, value: String) {
            self.scope = scope
            self.value = ExactText(value)
        }
    }

    init(_ progress: ImportProgress) { self.progress = progress }

    /// What a record is to become.
    ///
    /// `save` makes objects of what are unsaved rows so far.
    /// - Throws: `InspectionError` where several objects have the values.
    func find(
        _ record: ImportRecord, _ entity: ImportEntity, saving save: () throws -> Void
    ) throws -> Found {
        if let counterpart = progress.counterpart {
            let place = try record.label.flatMap { try counterpart($0) }
            return Found(match: try place.map { try match($0, entity) }, keys: [])
        }
        if progress.request.match == .identifier {
            return Found(match: try objectOfLabel(record, entity).map(Match.object), keys: [])
        }
        let scopes = try record.mapped?.scopes ?? entity.scopes()
        guard !scopes.isEmpty else { return Found(keys: []) }
        let values = Dictionary(record.members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        var keys: [Key] = []
        for scope in scopes {
            let text = try scope.text { stored(try values[$0.name]?.value(for: $0)) }
            if let text { keys.append(Key(scope: try number(of: scope), value: text)) }
        }
        if keys.contains(where: { pendingRows[$0] != nil }) { try save() }
        for key in keys {
            if let object = pending[key] { return Found(match: .object(try checked(object, entity)), keys: keys) }
            guard let place = try progress.ledger.match(key.value.text, scope: key.scope) else { continue }
            guard place.key > 0 else {
                throw InspectionError(
                    .badValue, subject: "match", cause: "several objects of the store have its values")
            }
            return Found(match: try match(place, entity), keys: keys)
        }
        return Found(keys: keys)
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

    private func match(_ place: ImportLedger.Place, _ entity: ImportEntity) throws -> Match {
        if progress.model.entities[place.entity].entity === entity.description { return .place(place) }
        return .object(try checked(progress.object(at: place), entity))
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
