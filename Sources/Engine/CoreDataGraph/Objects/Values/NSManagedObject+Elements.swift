import CoreDataStore

/// Composite attributes by their elements: key paths such as `color.red`.
extension NSManagedObject: ElementHolder {
    package func isComposite(_ key: String) -> Bool { composite(key) != nil }

    /// Sets a composite attribute to a dictionary in which one element, or a composite within, is another.
    ///
    /// The change is one of the attribute, for undo, observers and validation; a dictionary without a value becomes nil, unless
    /// the attribute is required. A number beyond the element's range is taken, and refused by validation.
    /// - Throws: `UnknownKeyError` for a path that leads nowhere, `ValueRejection` for a value of another type.
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

    /// The value as the element at a path has it, such as a number of its type.
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
