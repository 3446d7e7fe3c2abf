import CoreData

/// What a deletion would do by the model's delete rules, tried in a scratch context.
struct DeletionPreview {
    private static let shown = 200

    private let naming: (NSManagedObject) -> String
    private let access: BrowserAccess

    init(_ naming: @escaping (NSManagedObject) -> String, _ access: BrowserAccess) {
        self.naming = naming
        self.access = access
    }

    /// Deletes the objects in the context of `work`, which the caller discards, and reports the effects.
    ///
    /// - Throws: `InspectionError` for a name that is invalid.
    func json(_ names: [String], _ work: StepWork) throws -> JSONValue {
        let context = work.context
        let chosen = try names.map(work.objects.object)
        for object in chosen { context.delete(object) }
        context.processPendingChanges()
        let all = context.deletedObjects
        let deleted = all.filter { access.may(.read, entity: $0.entity) }
        let chosenIDs = Set(chosen.map(\.objectID))
        var denied: [JSONValue] = []
        let problems = EditProblems(naming)
        for object in all {
            do { try object.validateForDelete() } catch { denied += problems.list(error, access) }
        }
        let nullified = context.updatedObjects.flatMap(nullifiedLinks)
        let entities = Dictionary(grouping: deleted) { $0.entity.name ?? "" }
        return .object([
            (
                "deleted",
                list(deleted.map { link($0, chosenIDs.contains($0.objectID)) })
            ),
            ("nullified", list(nullified)), ("denied", list(denied)),
            (
                "counts",
                .object([
                    ("deleted", .count(deleted.count)), ("nullified", .count(nullified.count)),
                    ("denied", .count(denied.count)),
                ])
            ),
            ("entities", .sorted(entities.mapValues { .count($0.count) })),
        ])
    }

    private func link(_ object: NSManagedObject, _ isChosen: Bool) -> JSONValue {
        let name = naming(object)
        return .object([
            ("object", .string(name)), ("label", .string(StagedLabel.text(object, name: name, access: access))),
            ("chosen", .bool(isChosen)),
        ])
    }

    /// The relationships that the deletion changed in an object which is not deleted itself.
    private func nullifiedLinks(_ object: NSManagedObject) -> [JSONValue] {
        let name = naming(object)
        let keys = object.changedValues().keys.filter {
            object.entity.relationshipsByName[$0] != nil && access.may(.read, entity: object.entity, key: $0)
        }
        return keys.map { key in
            .object([
                ("object", .string(name)), ("label", .string(StagedLabel.text(object, name: name, access: access))),
                ("key", .string(key)),
            ])
        }
    }

    private func list(_ values: [JSONValue]) -> JSONValue {
        let sorted = values.map { ($0, JSONWriter.line($0)) }
            .sorted { $0.1.compare($1.1, options: .numeric) == .orderedAscending }
        return .array(sorted.prefix(Self.shown).map(\.0))
    }
}
