import CoreDataStore

/// Access to the elements of composite attributes by key paths such as `color.red`.
extension NSManagedObject: ElementHolder {
    package func isComposite(_ key: String) -> Bool { composite(key) != nil }

    /// Sets a composite attribute to a copy of its dictionary in which the element at a path, which may be a composite
    /// too, has another value.
    ///
    /// For undo, observers and validation the attribute changes. A dictionary without any value becomes nil, unless the
    /// attribute is required. A number outside the element's range is set, and validation refuses it.
    /// - Throws: `UnknownKeyError` for a path that does not exist, `ValueRejection` for a value of another type.
    package func setElement(_ value: Any?, at path: [String], of key: String) throws {
        guard let composite = composite(key) else { throw unknownKey(key) }
        let value = value is NSNull ? nil : value
        let accepted = try accepted(value, at: path, in: composite)
        var elements = try codedValue(forKey: key) as? [String: Any] ?? [:]
        CompositeCoding.set(accepted ?? NSNull(), at: path[...], in: &elements)
        elements = CompositeCoding.compacted(elements, of: composite)
        try setCodedValue(elements.isEmpty && composite.isOptional ? nil : elements, forKey: key)
    }

    private func composite(_ key: String) -> NSAttributeDescription? {
        guard case .attribute(let slot) = layout.places[key],
            case .attribute(let attribute, .composite) = layout.slots[slot].content
        else { return nil }
        return attribute
    }

    /// Converts a value to the type of the element at a path, such as a number to the element's number type.
    private func accepted(_ value: Any?, at path: [String], in composite: NSAttributeDescription) throws -> Any? {
        var end = composite
        for (number, name) in path.enumerated() {
            let elements = (end as? NSCompositeAttributeDescription)?.elements ?? []
            guard let next = elements.first(where: { $0.name == name }) else {
                let place = ([composite.name] + path[..<number]).joined(separator: ".")
                throw UnknownKeyError(
                    key: name, owner: "'\(place)' of the entity \(entity.name ?? "")", knownKeys: elements.map(\.name))
            }
            end = next
        }
        let kind = AttributeKind(end)
        do {
            return Self.foundationValue(try SlotCoding.accept(value, for: end, kind), kind)
        } catch let error as ValueRejection where error.code == .outOfRange {
            return value
        } catch is ValueRejection {
            let key = ([composite.name] + path).joined(separator: ".")
            throw ValueRejection(
                .unacceptableType, entity: entity.name ?? "", key: key,
                "Unacceptable type of value for element: '\(key)' of entity '\(entity.name ?? "")' takes a value of type "
                    + "\(kind.valueTypeName).")
        }
    }
}
