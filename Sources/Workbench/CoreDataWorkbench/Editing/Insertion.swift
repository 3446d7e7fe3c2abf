import CoreData

/// Inserts objects: all of them or none.
///
/// All objects are created before the first relationship is set, so that they can refer to each other by the addresses
/// that they had in the printed input.
package struct Insertion {
    /// One object that was inserted.
    package struct Outcome {
        /// Nil in a dry run, in which objects get no addresses.
        package let id: NSManagedObjectID?
        package let entity: String
        /// The address that the object had in the input.
        package let label: String?
    }

    private struct PendingObject {
        let object: NSManagedObject
        let assignments: [Assignment]
    }

    private let entity: String?
    private let common: [Assignment]
    private let input: [ObjectInput]

    /// Reads the objects to insert: `words` are assignments for each object, and override those of the input.
    ///
    /// Without an input one object is inserted. Without an entity each object of the input names its own.
    /// - Throws: `InspectionError` of code `badValue`.
    package init(entity: String?, _ words: [String], input: [ObjectInput]?) throws {
        self.entity = entity
        common = try Assignment.list(words)
        self.input = input ?? [ObjectInput.empty]
    }

    /// Inserts the objects, with default values for properties that are not given, validates and saves them.
    ///
    /// - Throws: `InspectionError`; the store is then unchanged.
    package func apply(in store: OpenStore, mode: EditMode = .save) throws -> [Outcome] {
        let given = try entity.map { try store.entity(named: $0) }
        var numbers: [ObjectIdentifier: Int] = [:]
        let isSingle = input.count == 1
        let naming = { (object: NSManagedObject) in
            isSingle ? nil : numbers[ObjectIdentifier(object)].map { "object \($0 + 1)" }
        }
        return try store.edit(
            mode, naming: naming,
            {
                let targets = StoreTargets(store)
                let editor = store.propertyEditor(targets)
                let pendingObjects = try each {
                    let pending = try pendingObject($0, given: given, in: store, editor)
                    if let label = $0.label { try targets.name(pending.object, label) }
                    return pending
                }
                for (number, pending) in pendingObjects.enumerated() {
                    numbers[ObjectIdentifier(pending.object)] = number
                }
                try assign(pendingObjects, editor)
                return pendingObjects.map(\.object)
            }, report: { outcomes($0, mode) })
    }

    private func outcomes(_ objects: [NSManagedObject], _ mode: EditMode) -> [Outcome] {
        zip(objects, input).map { object, source in
            Outcome(id: mode == .save ? object.objectID : nil, entity: object.entity.name ?? "", label: source.label)
        }
    }

    private func each<Result>(_ body: (ObjectInput) throws -> Result) throws -> [Result] {
        try input.enumerated().map { number, source in
            try ObjectInput.numbered(number, of: input.count) { try body(source) }
        }
    }

    private func assign(_ pendingObjects: [PendingObject], _ editor: PropertyEditor) throws {
        for (number, pending) in pendingObjects.enumerated() {
            try ObjectInput.numbered(number, of: pendingObjects.count) {
                _ = try editor.apply(pending.assignments, to: pending.object)
            }
        }
    }

    private func pendingObject(
        _ source: ObjectInput, given: NSEntityDescription?, in store: OpenStore, _ editor: PropertyEditor
    ) throws -> PendingObject {
        let entity = try entity(of: source, given, store)
        let commonKeys = Set(common.map(\.key))
        let own = source.assignments.filter { !commonKeys.contains($0.key) && editor.takes($0, of: entity) }
        let assignments = common + own
        for assignment in assignments { try editor.check(assignment, of: entity) }
        let object = NSManagedObject(entity: entity, insertInto: store.context)
        return PendingObject(object: object, assignments: assignments)
    }

    private func entity(
        of source: ObjectInput, _ given: NSEntityDescription?, _ store: OpenStore
    ) throws -> NSEntityDescription {
        let own = try source.entity.map { try store.entity(named: $0) }
        guard let entity = own ?? given else {
            throw InspectionError(
                .unknownEntity, subject: "JSON", cause: "the object names no entity",
                hint: "give ENTITY on the command line")
        }
        if let given, !entity.isKindOf(entity: given) {
            throw InspectionError(
                .badValue, subject: entity.name ?? "",
                cause: "the object is of this entity, which is not '\(given.name ?? "")' or a sub-entity of it",
                hint: "leave ENTITY out, so that each object is of the entity it names")
        }
        guard !entity.isAbstract else {
            let below = store.entities.filter { $0 !== entity && !$0.isAbstract && $0.isKindOf(entity: entity) }
            let names = below.prefix(10).compactMap(\.name).joined(separator: ", ")
            throw InspectionError(
                .badValue, subject: entity.name ?? "", cause: "the entity is abstract, so it has no objects of its own",
                hint: names.isEmpty ? nil : "insert one of: \(names)")
        }
        return entity
    }
}

extension Insertion.Outcome {
    /// `{"objectID", "entity"}`, and `"from"` with the address in the input if the object had one there.
    package var json: JSONValue {
        .object(
            [("objectID", .text(id?.uri)), ("entity", .string(entity))] + (label.map { [("from", .string($0))] } ?? []))
    }
}
