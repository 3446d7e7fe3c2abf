import CoreData

/// Changes objects by assignments: all changes are saved together or not at all.
package struct ObjectEdit {
    /// One object and its changed properties; `changes` is empty if all had these values already.
    package struct Outcome {
        package let id: NSManagedObjectID
        package let changes: [PropertyEdit]
    }

    private let assignments: [Assignment]

    /// Reads assignments of the form `key=value`, and those in at most one JSON object.
    ///
    /// - Throws: `InspectionError` of code `badValue` for another form, or a key that is named twice.
    package init(_ words: [String], input: [ObjectInput] = []) throws {
        guard input.count <= 1 else {
            throw InspectionError(
                .badValue, subject: "JSON", cause: "\(input.count) objects of JSON are given",
                hint: "give one, for all that is changed"
            )
        }
        assignments = try Assignment.list(words) + input.flatMap(\.assignments)
        try Assignment.checkKeys(assignments)
        guard !assignments.isEmpty else {
            throw InspectionError(.badValue, subject: "JSON", cause: "it names no key, so there is nothing to change")
        }
    }

    /// Applies the assignments to each object of a selection, validates and saves; an equal value is not a change.
    ///
    /// - Throws: `InspectionError`; the store is then unchanged.
    package func apply(
        to selection: ObjectSelection, in store: OpenStore, mode: EditMode = .save
    ) throws -> [Outcome] {
        try store.edit(
            mode, naming: { $0.objectID.shortText }, { try change(store.objects(selection), in: store) },
            report: { changed in
                changed.map { object, changes in
                    Outcome(
                        id: object.objectID,
                        changes: changes.compactMap { edit($0, of: object, reader: store.reader) })
                }
            })
    }

    /// Changes the objects; returns each with its changes.
    private func change(
        _ objects: [NSManagedObject], in store: OpenStore
    ) throws -> [(NSManagedObject, [PropertyEditor.Change])] {
        let editor = store.propertyEditor
        return try objects.map { object in
            let taken = assignments.filter { editor.takes($0, of: object.entity) }
            return (object, try editor.apply(taken, to: object))
        }
    }

    private func edit(
        _ change: PropertyEditor.Change, of object: NSManagedObject, reader: PropertyReader
    ) -> PropertyEdit? {
        guard let property = object.entity.propertiesByName[change.key] else { return nil }
        return PropertyEdit(key: change.key, before: change.before, after: reader.read(property, of: object))
    }
}

/// One property that was changed.
package struct PropertyEdit {
    package let key: String
    package let before: PropertyReading
    package let after: PropertyReading
}

extension ObjectEdit.Outcome {
    /// What was changed: `{"objectID", "changes": {key: {"from", "to"}}}`.
    package var json: JSONValue {
        let members = changes.map { change in
            (change.key, JSONValue.object([("from", change.before.json), ("to", change.after.json)]))
        }
        return .object([
            ("objectID", .string(id.uri)),
            ("changes", .sorted(Dictionary(members, uniquingKeysWith: { first, _ in first }))),
        ])
    }
}

extension OpenStore {
    /// An editor for edits that name objects of the store by their addresses.
    var propertyEditor: PropertyEditor { propertyEditor(StoreTargets(self)) }

    /// An editor for edits whose object names `targets` resolves.
    func propertyEditor(_ targets: StoreTargets) -> PropertyEditor {
        PropertyEditor(store, reader: reader, targets: targets, numbers: .reals)
    }
}
