import CoreDataStore

/// Elements of composite attributes, which a batch update names by their paths (`color.red`).
extension RowBuilder {
    /// The composite attribute's slot and the path of the element that `path` names; nil for the name of a property.
    ///
    /// - Throws: `NSCoreDataError` for a path that names no element, and for a composite attribute that cannot be set.
    private func element(at path: String) throws -> (slot: Int, path: PropertyPath)? {
        guard path.contains("."), layout.places[path] == nil else { return nil }
        let first = String(path.prefix { $0 != "." })
        switch layout.places[first] {
        case .attribute(let slot):
            guard case .attribute(let composite as NSCompositeAttributeDescription, _) = layout.slots[slot].content
            else {
                throw refusal(path, "leads into '\(first)', which has no elements")
            }
            guard let found = PropertyPath(path, in: layout.entity) else { throw unknownElement(path, of: composite) }
            _ = try settable(slot)
            return (slot, found)
        case .toOne, .toMany, .fetched: throw refusal(path, "is a value of another object")
        case nil: throw unknown(path)
        }
    }

    /// The elements at a path with their constant values; nil for the name of a property. A path to a composite element
    /// takes a dictionary, whose values become those of its elements.
    ///
    /// - Throws: `NSCoreDataError` for a path that names no element and for a value of another type than the element's.
    func elements(_ value: Any?, at path: String) throws -> [BatchElement]? {
        guard let (slot, found) = try element(at: path) else { return nil }
        let value = value is NSNull ? nil : value
        guard let inner = found.end as? NSCompositeAttributeDescription else {
            return [
                try element(
                    found.elementPath, slot: slot, source: .constant(cell(value, of: found.end, at: path)), path: path)
            ]
        }
        let dictionary = value as? [String: Any]
        guard value == nil || dictionary != nil else { throw unacceptable(path, AttributeKind(inner)) }
        return try CompositeCoding.leaves(of: inner).map { leaf in
            let name = ([path] + leaf.path).joined(separator: ".")
            let value = CompositeCoding.value(at: leaf.path, in: dictionary ?? [:])
            let cell = try cell(value is NSNull ? nil : value, of: leaf.attribute, at: name)
            return try element(found.elementPath + leaf.path, slot: slot, source: .constant(cell), path: name)
        }
    }

    /// The element at a path with the expression that computes its value; nil for the name of a property.
    ///
    /// - Throws: `NSCoreDataError` for a path that names no element or a composite one.
    func element(computedBy expression: NSExpression, at path: String) throws -> BatchElement? {
        guard let (slot, found) = try element(at: path) else { return nil }
        guard !(found.end is NSCompositeAttributeDescription) else {
            throw refusal(
                path, "is composite, and an expression computes one value", hint: "Compute each of its elements.")
        }
        return try element(found.elementPath, slot: slot, source: .computed(expression), path: path)
    }

    private func element(
        _ names: [String], slot: Int, source: BatchElement.Source, path: String
    ) throws -> BatchElement {
        guard case .attribute(let attribute, _) = layout.slots[slot].content,
            let place = CompositeCoding.place(of: names, in: attribute),
            let element = (attribute as? NSCompositeAttributeDescription)?.element(at: names)
        else { throw unknown(path) }
        return BatchElement(slot: slot, place: place, attribute: element, source: source)
    }

    private func cell(_ value: Any?, of element: NSPropertyDescription, at path: String) throws -> DerivedCell {
        guard let element = element as? NSAttributeDescription else { throw unknown(path) }
        do {
            let cell = try DerivedCell(accepting: value, of: element)
            // As for other attributes, NaN is stored as nil.
            let isNumber = cell.tag != RowTag.real || !Double(bitPattern: cell.bits).isNaN
            return isNumber ? cell : DerivedCell(nil, of: element)
        } catch let error as ValueRejection where error.code == .outOfRange {
            throw refusal(path, "is of a type with a smaller range than the number given", underlying: error)
        } catch let error as ValueRejection {
            throw unacceptable(path, AttributeKind(element), underlying: error)
        }
    }

    private func unacceptable(_ path: String, _ kind: AttributeKind, underlying: ValueRejection? = nil) -> NSError {
        refusal(
            path, "takes a value of type \(kind.valueTypeName)", hint: "Give such a value, or nil.",
            underlying: underlying)
    }

    private func unknownElement(_ path: String, of composite: NSCompositeAttributeDescription) -> NSError {
        let known = CompositeCoding.leaves(of: composite).map { ([composite.name] + $0.path).joined(separator: ".") }
        return CoreDataError.make(
            NSCoreDataError,
            "The composite attribute '\(composite.name)' of entity '\(layout.entity.name ?? "")' has no element '\(path)'.",
            hint: closestName(to: path, in: known).map { "Did you mean '\($0)'?" })
    }
}
