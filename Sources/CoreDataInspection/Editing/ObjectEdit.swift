import CoreData

/// Changes of one object as texts, applied and saved together or not at all.
package struct ObjectEdit {
    /// One property that was changed.
    package struct Change {
        package let key: String
        package let before: Reading
        package let after: Reading
    }

    private let assignments: [(key: String, text: String)]

    /// Reads assignments of the form `key=value`.
    ///
    /// - Throws: `InspectionError` of code `badValue` for another form or a key that is named twice.
    package init(_ texts: [String]) throws {
        var seen: Set<String> = []
        assignments = try texts.map { text in
            let shown = PrintableText.escaped(text, limit: 60)
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw InspectionError(.badValue, shown, "this is no assignment", hint: "it looks like key=value")
            }
            let key = String(text[..<equals])
            guard seen.insert(key).inserted else { throw InspectionError(.badValue, key, "the key is named twice") }
            return (key, String(text[text.index(after: equals)...]))
        }
    }

    /// Applies the assignments to an object, validates and saves; what was equal before is no change.
    ///
    /// - Throws: `InspectionError`; the store is then as before.
    package func apply(to address: String, in store: OpenStore) throws -> (NSManagedObjectID, [Change]) {
        try store.context.performAndWait {
            let object = try store.object(at: address)
            do {
                let changed = try assignments.compactMap { try apply($0.key, $0.text, to: object, in: store) }
                try save(store)
                let changes = changed.map { property, before in
                    Change(key: property.name, before: before, after: store.reader.read(property, of: object))
                }
                return (object.objectID, changes)
            } catch {
                store.context.rollback()
                throw error
            }
        }
    }

    /// Sets one property; gives the property and its former value, or nil where the value is the same.
    private func apply(
        _ key: String, _ text: String, to object: NSManagedObject, in store: OpenStore
    ) throws -> (NSPropertyDescription, Reading)? {
        guard let property = object.entity.propertiesByName[key] else {
            throw KeyRoute.unknown(key, of: object.entity, path: key)
        }
        guard !property.isTransient else {
            throw InspectionError(.badValue, key, "the property is not stored and cannot be set")
        }
        let value = try value(text, for: property, in: store)
        let before = store.reader.read(property, of: object)
        // Setting an equal value would still count as a change and write the row.
        guard !before.isSame(as: store.reader.reading(value, property)) else { return nil }
        do {
            try object.setCodedValue(value, forKey: key)
        } catch {
            throw InspectionError(.badValue, key, ErrorText.line(for: error))
        }
        return (property, before)
    }

    private func value(_ text: String, for property: NSPropertyDescription, in store: OpenStore) throws -> Any? {
        switch property {
        case let attribute as NSAttributeDescription: return try ValueParsing.value(text, for: attribute)
        case let relationship as NSRelationshipDescription where relationship.isToMany:
            let targets = try ObjectQuery.list(text == ValueParsing.null ? "" : text).map {
                try target($0, of: relationship, in: store)
            }
            return relationship.isOrdered ? NSOrderedSet(array: targets) : NSSet(array: targets)
        case let relationship as NSRelationshipDescription:
            return text == ValueParsing.null ? nil : try target(text, of: relationship, in: store)
        default: throw InspectionError(.badValue, property.name, "the property cannot be set")
        }
    }

    private func target(
        _ text: String, of relationship: NSRelationshipDescription, in store: OpenStore
    ) throws -> NSManagedObject {
        let object: NSManagedObject
        do {
            object = try store.object(at: text)
        } catch let error as InspectionError where text.isEmpty {
            throw InspectionError(.badValue, relationship.name, error.cause, hint: "\(ValueParsing.null) is nil")
        }
        guard let wanted = relationship.destinationEntity, object.entity.isKindOf(entity: wanted) else {
            let name = relationship.destinationEntity?.name ?? "?"
            throw InspectionError(
                .badValue, relationship.name,
                "\(object.objectID.shortText) is no \(name), which the relationship leads to")
        }
        return object
    }

    private func save(_ store: OpenStore) throws {
        guard store.context.hasChanges else { return }
        do {
            try store.context.save()
        } catch {
            let details = (error as NSError).userInfo[NSDetailedErrorsKey] as? [NSError]
            let lines = details.map { $0.map(ErrorText.line).joined(separator: " ") } ?? ErrorText.line(for: error)
            throw InspectionError(.badValue, store.facts.url.path, "not saved: \(lines)")
        }
    }
}

extension Reading {
    /// Whether two readings show the same.
    fileprivate func isSame(as other: Reading) -> Bool {
        switch (self, other) {
        case (.unreadable, _), (_, .unreadable): false
        case (.null, .null): true
        case (.null, _), (_, .null): false
        default: JSONWriter.line(json) == JSONWriter.line(other.json)
        }
    }
}

extension ObjectEdit {
    /// What was changed: `{"objectID", "changes": {key: {"from", "to"}}}`.
    package static func json(_ id: NSManagedObjectID, _ changes: [Change]) -> JSONValue {
        let members = changes.map { change in
            (change.key, JSONValue.object([("from", change.before.json), ("to", change.after.json)]))
        }
        return .object([
            ("objectID", .string(id.uri)),
            ("changes", .sorted(Dictionary(members, uniquingKeysWith: { first, _ in first }))),
        ])
    }
}
