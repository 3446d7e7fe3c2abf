import CoreData

/// The state of one import that its passes share.
///
/// Confined to the queue of the store's context.
final class ImportProgress {
    /// The message to the source of an object.
    struct Refusal {
        var place: Line { Line(file: file, line: line) }

        let file: Int
        /// Which record of the file it is, as `ImportRecord` counts.
        let line: Int
        /// The property that it is about, where it is about one.
        let key: String?
        /// Why, without values of the object: it may be written to a file that is passed on.
        let reason: String
        /// Why, with the value that a rule refused.
        let answer: String
    }

    /// The file and the position of an object.
    struct Line: Hashable {
        let file: Int
        let line: Int
    }

    /// More are not gone on with: the file is the wrong one.
    private static let mostRefusals = 100_000

    let store: OpenStore
    let request: ImportRequest
    var ledger: ImportLedger
    var counts: [String: ImportReport.Counts] = [:]
    private(set) var refusals: [Refusal] = []
    private var refused: Set<Line> = []
    /// Objects that the report lists.
    var samples: ImportSamples
    /// The object of the store that an address of elsewhere stands for; nil where objects come from files.
    let counterpart: ((String) throws -> ImportLedger.Place?)?
    private var entities: [String: Result<ImportEntity, InspectionError>] = [:]
    let model: ModelLayout

    init(
        _ store: OpenStore, _ request: ImportRequest,
        counterpart: ((String) throws -> ImportLedger.Place?)? = nil
    ) throws {
        self.counterpart = counterpart
        self.store = store
        self.request = request
        ledger = try ImportLedger()
        samples = ImportSamples(limit: request.sampleLimit)
        model = ModelLayout.of(store.coordinator.managedObjectModel)
    }

    /// What is known of an entity.
    func entity(named name: String) throws -> ImportEntity {
        if let known = entities[name] { return try known.get() }
        let found = Result { () throws(InspectionError) in
            do {
                return try ImportEntity(store.entity(named: name), rule: request.match, in: store, model: model)
            } catch let error as InspectionError {
                throw error
            } catch {
                throw InspectionError.unreadable(store.facts.url, error)
            }
        }
        entities[name] = found
        return try found.get()
    }

    func refuse(file: Int, line: Int, _ error: any Error) throws {
        guard refusals.count < Self.mostRefusals else {
            throw InspectionError(
                .badValue, subject: request.files[file].name,
                cause: "more than \(Self.mostRefusals) objects are refused",
                hint: "the reasons of the first ones tell what is wrong")
        }
        refused.insert(Line(file: file, line: line))
        refusals.append(
            Refusal(
                file: file, line: line, key: key(of: error), reason: Self.reason(error, showsValues: false),
                answer: Self.reason(error, showsValues: true)))
    }

    /// Whether an object of a file has been refused.
    func isRefused(file: Int, line: Int) -> Bool { refused.contains(Line(file: file, line: line)) }

    /// The property that an error is about.
    private func key(of error: any Error) -> String? {
        let name: String
        switch error {
        // Of a mapping: "name (path)".
        case let error as InspectionError: name = String(error.subject.prefix { $0 != ":" && $0 != " " })
        case let error as NSError:
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            guard let key = (details.first ?? error).userInfo[NSValidationKeyErrorKey] as? String else { return nil }
            name = key
        }
        return knownKeys.contains(name) ? name : nil
    }

    /// What sets the values of objects that are made or found; numbers that the store cannot keep the save reports.
    private(set) lazy var editor = PropertyEditor(
        store.store, reader: store.reader, targets: ImportTargets(self), numbers: .none)

    /// Whether leading a to-one relationship somewhere changes nothing of what it leads to that would have to be checked.
    func isInRowAlone(_ relationship: NSRelationshipDescription) -> Bool {
        if let known = relationshipsInRows[ObjectIdentifier(relationship)] { return known }
        let isInRow = ImportRowForm.isInRowAlone(relationship, ImportRowForm.targets(of: relationship, in: model))
        relationshipsInRows[ObjectIdentifier(relationship)] = isInRow
        return isInRow
    }

    private var relationshipsInRows: [ObjectIdentifier: Bool] = [:]

    private lazy var knownKeys = Set(model.entities.flatMap { $0.entity.propertiesByName.keys })

    /// Why something was refused, without the path of the store.
    private static func reason(_ error: any Error, showsValues: Bool) -> String {
        if let error = error as? InspectionError { return error.description }
        return SaveFailure(error, showsValues: showsValues, naming: { _ in nil }).text
    }

    /// The object at a place, whose row need not have been read.
    func object(at place: ImportLedger.Place) -> NSManagedObject {
        store.context.object(with: identifier(of: place))
    }

    func identifier(of place: ImportLedger.Place) -> NSManagedObjectID {
        NSManagedObjectID(binding: store.store.binding(for: model.entities[place.entity]), key: place.key)
    }

    /// The object that a label stands for: one of the import, or one that the store has.
    ///
    /// - Throws: `InspectionError` of code `noObject`, or `badValue` for one that the relationship cannot lead to.
    func target(_ label: String, of relationship: NSRelationshipDescription) throws -> NSManagedObject? {
        guard let place = try place(named: label) else { return nil }
        let object = object(at: place)
        try PropertyEditor.requireTarget(object.entity, of: relationship)
        return object
    }

    /// The place of the object that a label stands for.
    func place(named label: String) throws -> ImportLedger.Place? {
        try ledger.place(named: label) ?? counterpart?(label)
    }

    /// The place of the object that a label stands for; nil also for a label that can stand for none.
    ///
    /// - Throws: where the ledger cannot be read.
    func knownPlace(named label: String) throws -> ImportLedger.Place? {
        do {
            return try place(named: label)
        } catch let error as InspectionError where error.code != .unreadable {
            return nil
        }
    }
}

/// The objects that labels stand for: those of the import and those that the store has.
private struct ImportTargets: EditTargets {
    /// The editor that has this belongs to it.
    private unowned let progress: ImportProgress

    init(_ progress: ImportProgress) { self.progress = progress }

    func object(_ label: String, for relationship: NSRelationshipDescription) throws -> NSManagedObject {
        if let object = try progress.target(label, of: relationship) { return object }
        let store = progress.store
        guard let id = try? store.objectID(at: label), let object = try? store.context.existingObject(with: id) else {
            throw InspectionError(
                .noObject, subject: "\(relationship.name): \(PrintableText.escaped(label, limit: 120))",
                cause: "no object of the import has this address, nor has one of the store",
                hint: "import that object too, or leave the relationship out")
        }
        return object
    }
}
