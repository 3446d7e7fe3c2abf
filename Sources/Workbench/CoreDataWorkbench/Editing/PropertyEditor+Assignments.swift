import CoreData

/// Several assignments to one object, all or none.
///
/// Elements of a composite attribute, by their paths (`color.red=0.5`), are one edit of the attribute.
extension PropertyEditor {
    /// An edit of an element of a composite attribute.
    private struct ElementEdit {
        let composite: NSAttributeDescription
        let element: EditValue.Element
    }

    /// Whether an assignment is to be applied, or passed over.
    func takes(_ assignment: Assignment, of entity: NSEntityDescription) -> Bool {
        guard assignment.isPrinted, let property = entity.propertiesByName[assignment.key] else { return true }
        return SettableProperty.isSettable(property)
    }

    /// Throws where the key of an assignment is none of an entity, or cannot be set.
    func check(_ assignment: Assignment, of entity: NSEntityDescription) throws {
        guard try element(assignment, of: entity) == nil else { return }
        _ = try SettableProperty.named(assignment.key, of: entity)
    }

    /// Applies assignments, all or none; gives what was changed.
    ///
    /// - Throws: `InspectionError`, which reports each key that is wrong.
    func apply(_ assignments: [Assignment], to object: NSManagedObject) throws -> [Change] {
        var changes: [Change] = []
        var failures: [InspectionError] = []
        func collect(_ body: () throws -> Change?) throws {
            do {
                if let change = try body() { changes.append(change) }
            } catch let error as InspectionError {
                failures.append(error)
            }
        }
        var elements: [String: [ElementEdit]] = [:]
        for assignment in assignments {
            try collect {
                if let element = try element(assignment, of: object.entity) {
                    elements[element.composite.name, default: []].append(element)
                    return nil
                }
                let property = try SettableProperty.named(assignment.key, of: object.entity)
                try Self.requireMembers(property, for: assignment)
                return try change(assignment.edit, of: property, in: object)
            }
        }
        for (key, elements) in elements.sorted(by: { $0.key < $1.key }) {
            try collect {
                guard !assignments.contains(where: { $0.key == key }) else {
                    throw InspectionError(
                        .badValue, subject: key, cause: "the key is named twice", hint: "name it or its elements")
                }
                let edit = Edit.set(.elements(elements.map(\.element)))
                return try elements.first.flatMap { try change(edit, of: $0.composite, in: object) }
            }
        }
        guard failures.isEmpty else { throw Self.combined(failures) }
        for change in changes { make(change, in: object) }
        return changes
    }

    private static func combined(_ failures: [InspectionError]) -> InspectionError {
        guard failures.count > 1 else { return failures[0] }
        return InspectionError(
            failures[0].code, subject: "\(failures.count) keys",
            cause: failures.map(\.description).joined(separator: "; "))
    }

    /// The element that a key with dots leads to; nil for a key that does not begin with a composite attribute.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` for an element that is not there.
    private func element(_ assignment: Assignment, of entity: NSEntityDescription) throws -> ElementEdit? {
        guard let dot = assignment.key.firstIndex(of: "."),
            let composite = entity.attributesByName[String(assignment.key[..<dot])] as? NSCompositeAttributeDescription,
            case .element(_, let path, _) = try KeyRoute(assignment.key, from: entity).end
        else { return nil }
        try SettableProperty.require(composite)
        try Self.requireMembers(composite, for: assignment)
        guard case .set(let value) = assignment.edit else { return nil }
        return ElementEdit(composite: composite, element: .init(path: path, value: value))
    }

    /// Throws where an assignment has a sign that only the members of a relationship take.
    private static func requireMembers(_ property: NSPropertyDescription, for assignment: Assignment) throws {
        guard assignment.edit.isOfMembers, (property as? NSRelationshipDescription)?.isToMany != true else { return }
        throw InspectionError(
            .badValue, subject: assignment.key, cause: "only a to-many relationship takes += and -=",
            hint: "use = here")
    }
}
