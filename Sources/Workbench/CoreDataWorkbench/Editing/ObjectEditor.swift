import CoreData

/// One property that was changed.
package struct PropertyEdit {
    package let key: String
    package let before: PropertyReading
    package let after: PropertyReading
}

/// Applies assignments to objects of a store: the key by the model, the value by the property's type.
struct ObjectEditor {
    let store: OpenStore
    let targets: EditTargets

    init(_ store: OpenStore) {
        self.store = store
        targets = EditTargets(store)
    }

    /// The property of a key.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` with the nearest key, or `badValue` for what cannot be set.
    func property(_ key: String, of entity: NSEntityDescription) throws -> NSPropertyDescription {
        guard let property = entity.propertiesByName[key] else {
            throw KeyRoute.unknown(key, of: entity, path: key)
        }
        guard Self.isSettable(property) else {
            throw InspectionError(
                .badValue, subject: key, cause: "the property is \(Self.kind(of: property)) and cannot be set",
                hint: "leave it out")
        }
        return property
    }

    /// Whether an assignment is to be applied, or passed over.
    func takes(_ assignment: Assignment, of entity: NSEntityDescription) -> Bool {
        guard assignment.isPrinted, let property = entity.propertiesByName[assignment.key] else { return true }
        return Self.isSettable(property)
    }

    /// Whether a property is stored, and not made from others.
    private static func isSettable(_ property: NSPropertyDescription) -> Bool {
        !property.isTransient && !(property is NSDerivedAttributeDescription)
            && !(property is NSFetchedPropertyDescription)
    }

    private static func kind(of property: NSPropertyDescription) -> String {
        switch property {
        case is NSDerivedAttributeDescription: "derived"
        case is NSFetchedPropertyDescription: "a fetched one"
        default: "not stored"
        }
    }

    /// Applies assignments, all or none; gives the former values of the keys that have others now.
    ///
    /// - Throws: `InspectionError`, which reports each key that is wrong.
    func apply(_ assignments: [Assignment], to object: NSManagedObject) throws -> [(
        key: String, before: PropertyReading
    )] {
        var changes: [(key: String, before: PropertyReading, value: Any?)] = []
        var failures: [InspectionError] = []
        var elements: [String: [ElementAssignment]] = [:]
        for assignment in assignments {
            do {
                if let element = try element(assignment, of: object.entity) {
                    elements[element.composite.name, default: []].append(element)
                    continue
                }
                guard let (before, value) = try change(assignment, of: object) else { continue }
                changes.append((assignment.key, before, value))
            } catch let error as InspectionError {
                failures.append(error)
            }
        }
        for (key, elements) in elements.sorted(by: { $0.key < $1.key }) {
            do {
                guard !assignments.contains(where: { $0.key == key }) else {
                    throw InspectionError(
                        .badValue, subject: key, cause: "the key is named twice", hint: "name it or its elements")
                }
                guard let (before, value) = try change(elements, of: object) else { continue }
                changes.append((key, before, value))
            } catch let error as InspectionError {
                failures.append(error)
            }
        }
        guard failures.isEmpty else { throw Self.combined(failures) }
        for change in changes { object.setValue(change.value, forKey: change.key) }
        return changes.map { ($0.key, $0.before) }
    }

    /// The former value and the new one that an assignment gives to its key; nil where they are the same.
    private func change(_ assignment: Assignment, of object: NSManagedObject) throws -> (PropertyReading, Any?)? {
        let property = try property(assignment.key, of: object.entity)
        let before = store.reader.read(property, of: object)
        let value = try value(assignment, for: property, of: object)
        // Setting an equal value would still count as a change and write the row.
        guard !before.isSame(as: store.reader.reading(value, property)) else { return nil }
        if let attribute = property as? NSAttributeDescription {
            try KeptNumber.requireReal(value, attribute, in: store.store)
        }
        do {
            try object.requireSettable(value, property.name)
        } catch {
            throw InspectionError(.badValue, subject: property.name, cause: ErrorText.line(for: error))
        }
        return (before, value)
    }

    private static func combined(_ failures: [InspectionError]) -> InspectionError {
        guard failures.count > 1 else { return failures[0] }
        return InspectionError(
            failures[0].code, subject: "\(failures.count) keys",
            cause: failures.map(\.description).joined(separator: "; "))
    }

    // MARK: Values

    private func value(
        _ assignment: Assignment, for property: NSPropertyDescription, of object: NSManagedObject
    ) throws -> Any? {
        if let relationship = property as? NSRelationshipDescription, relationship.isToMany {
            return try members(assignment, of: relationship, object)
        }
        guard assignment.operation == .set else {
            throw InspectionError(
                .badValue, subject: property.name, cause: "only a to-many relationship takes += and -=",
                hint: "use = here")
        }
        switch (property, assignment.value) {
        case (let attribute as NSAttributeDescription, .text(let text)):
            return try ValueParsing.value(text, for: attribute)
        case (let attribute as NSAttributeDescription, .json(let json)):
            return try JSONValueParsing.value(json, for: attribute)
        case (let relationship as NSRelationshipDescription, let value):
            return try address(value, relationship).map { try targets.object($0, for: relationship) }
        default:
            throw InspectionError(
                .badValue, subject: property.name, cause: "the property cannot be set", hint: "leave it out")
        }
    }

    /// What a to-one relationship is to lead to; nil for nothing.
    private func address(_ value: Assignment.Value, _ relationship: NSRelationshipDescription) throws -> String? {
        switch value {
        case .text(ValueParsing.null), .json(.null): return nil
        case .text(let text), .json(.string(let text)): return text
        case .json:
            throw InspectionError(
                .badValue, subject: relationship.name, cause: "the JSON is not an address",
                hint: "a text such as \"Entity/p1\", or null")
        }
    }

    private func members(
        _ assignment: Assignment, of relationship: NSRelationshipDescription, _ object: NSManagedObject
    ) throws -> Any {
        let given = try addresses(assignment.value, relationship).map { try targets.object($0, for: relationship) }
        let named = Set(given)
        let present = assignment.operation == .set ? [] : try Self.objects(object.codedValue(forKey: assignment.key))
        let known = Set(present)
        let members: [NSManagedObject]
        switch assignment.operation {
        case .set: members = given
        case .add: members = present + given.filter { !known.contains($0) }
        case .remove: members = present.filter { !named.contains($0) }
        }
        return relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
    }

    private static func objects(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    private func addresses(_ value: Assignment.Value, _ relationship: NSRelationshipDescription) throws -> [String] {
        let wrong = InspectionError(
            .badValue, subject: relationship.name, cause: "the JSON is not a list of addresses",
            hint: "such as [\"Entity/p1\"]")
        switch value {
        case .text(ValueParsing.null), .json(.null): return []
        case .text(let text):
            let hasBrackets = text.hasPrefix("[") && text.hasSuffix("]")
            return ObjectQuery.list(hasBrackets ? String(text.dropFirst().dropLast()) : text)
        case .json(.array(let elements)):
            return try elements.map { element in
                guard case .string(let text) = element else { throw wrong }
                return text
            }
        case .json: throw wrong
        }
    }
}

extension PropertyReading {
    /// Whether two readings show the same.
    package func isSame(as other: PropertyReading) -> Bool {
        switch (self, other) {
        case (.unreadable, _), (_, .unreadable): false
        case (.null, .null): true
        case (.null, _), (_, .null): false
        case (.object(let one), .object(let two)): one == two
        case (.objects(let ones, _), .objects(let others, _)): ones == others
        default: JSONWriter.line(json).utf8.elementsEqual(JSONWriter.line(other.json).utf8)
        }
    }
}
