import CoreData

/// Elements of composite attributes by their paths: `color.red=0.5` changes one and leaves the others.
extension ObjectEditor {
    struct ElementAssignment {
        let assignment: Assignment
        let composite: NSAttributeDescription
        let element: NSAttributeDescription
        let path: [String]
    }

    /// The element that a key with dots leads to; nil for a key that does not begin with a composite attribute.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` for an element that is not there.
    func element(_ assignment: Assignment, of entity: NSEntityDescription) throws -> ElementAssignment? {
        guard let dot = assignment.key.firstIndex(of: "."),
            let composite = entity.attributesByName[String(assignment.key[..<dot])] as? NSCompositeAttributeDescription,
            case .element(let element, let path, _) = try KeyRoute(assignment.key, from: entity).end
        else { return nil }
        _ = try property(composite.name, of: entity)
        return ElementAssignment(assignment: assignment, composite: composite, element: element, path: path)
    }

    /// The former value of a composite attribute and the one with other elements; nil where they are the same.
    func change(
        _ elements: [ElementAssignment], of object: NSManagedObject
    ) throws -> (PropertyReading, Any?)? {
        guard let composite = elements.first?.composite else { return nil }
        let before = store.reader.read(composite, of: object)
        if case .unreadable(let reason) = before {
            throw InspectionError(
                .badValue, subject: composite.name, cause: reason, hint: "set the composite as a whole")
        }
        var values = try object.codedValue(forKey: composite.name) as? [String: Any] ?? [:]
        for element in elements {
            guard element.assignment.operation == .set else {
                throw InspectionError(
                    .badValue, subject: element.assignment.key, cause: "only a to-many relationship takes += and -=",
                    hint: "use = here")
            }
            let value: Any? =
                switch element.assignment.value {
                case .text(let text): try ValueParsing.value(text, for: element.element)
                case .json(let json): try JSONValueParsing.value(json, for: element.element)
                }
            try KeptNumber.requireReal(value, element.element, in: store.store)
            CompositeCoding.set(value ?? NSNull(), at: element.path[...], in: &values)
        }
        values = CompositeCoding.compacted(values, of: composite)
        let value: Any? = values.isEmpty && composite.isOptional ? nil : values
        guard !before.isSame(as: store.reader.reading(value, composite)) else { return nil }
        return (before, value)
    }
}
