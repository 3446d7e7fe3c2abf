import CoreData

/// Applies several assignments to one object: all of them or none.
///
/// Assignments to elements of one composite attribute (`color.red=0.5`) are applied as one edit of the attribute.
extension PropertyEditor {
    /// An edit of an element of a composite attribute.
    private struct ElementEdit {
        let composite: NSAttributeDescription
        let element: EditValue.Element
    }

    /// Whether an assignment is applied; false for a printed value of a property that cannot be set, which is ignored.
    func takes(_ assignment: Assignment, of entity: NSEntityDescription) -> Bool {
        guard assignment.isPrinted, let property = entity.propertiesByName[assignment.key] else { return true }
        return SettableProperty.isSettable(property)
    }

    /// Throws if the key of an assignment is unknown or cannot be set.
    func check(_ assignment: Assignment, of entity: NSEntityDescription) throws {
        guard try element(assignment, of: entity) == nil else { return }
        _ = try SettableProperty.named(assignment.key, of: entity)
    }

    /// Applies all assignments or none; returns the changes.
    ///
    /// - Throws: `InspectionError`, which reports each invalid key or value.
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
    /// - Throws: `InspectionError` of code `unknownKey` for an unknown element.
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

    /// Throws for `+=` and `-=`, unless the property is a to-many relationship.
    private static func requireMembers(_ property: NSPropertyDescription, for assignment: Assignment) throws {
        guard assignment.edit.isOfMembers, (property as? NSRelationshipDescription)?.isToMany != true else { return }
        throw InspectionError(
            .badValue, subject: assignment.key, cause: "only a to-many relationship takes += and -=",
            hint: "use = here")
    }
}
