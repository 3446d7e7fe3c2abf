import CoreDataStore

/// The checks of the elements of a composite attribute: their types, required elements, and the rules of each.
///
/// Elements are checked if the composite is not nil; in changed objects also unchanged elements.
struct CompositeCheck {
    private struct Element {
        let path: [String]
        let attribute: NSAttributeDescription
        let kind: AttributeKind
        let limits: [ValueLimit]
        /// The key by which errors name the element: `color.red`.
        let key: String
        /// The paths of the optional nested composites that contain the element.
        let optionalComposites: [[String]]
    }

    private let elements: [Element]
    /// The paths of all elements, including nested composites.
    private let known: Set<[String]>
    let attribute: NSAttributeDescription

    init(_ attribute: NSAttributeDescription) {
        self.attribute = attribute
        elements = CompositeCoding.leaves(of: attribute).map { leaf in
            let kind = AttributeKind(leaf.attribute)
            return Element(
                path: leaf.path, attribute: leaf.attribute, kind: kind,
                limits: leaf.attribute.validationRules.map { ValueLimit($0, kind) },
                key: ([attribute.name] + leaf.path).joined(separator: "."),
                optionalComposites: Self.optionalComposites(around: leaf.path, in: attribute))
        }
        known = Set(elements.flatMap { element in element.path.indices.map { Array(element.path[...$0]) } })
    }

    /// Whether all elements may be nil, so that a stored composite without any value is valid.
    var mayBeEmpty: Bool { elements.allSatisfy { $0.attribute.isOptional || !$0.optionalComposites.isEmpty } }

    private static func optionalComposites(around path: [String], in attribute: NSAttributeDescription) -> [[String]] {
        var found: [[String]] = []
        var outer = attribute as? NSCompositeAttributeDescription
        for depth in path.indices.dropLast() {
            outer = outer?.elements.first { $0.name == path[depth] } as? NSCompositeAttributeDescription
            if outer?.isOptional == true { found.append(Array(path[...depth])) }
        }
        return found
    }

    /// Checks a value, which must be a dictionary of the elements.
    func check(_ value: Any, object: NSManagedObject, list: inout FailureList) {
        guard let dictionary = value as? [String: Any] else {
            return list.add(Violation.type(attribute, value: value, object: object))
        }
        for path in Self.paths(in: dictionary, below: [], known) where !known.contains(path) {
            list.add(Violation.unknownElement(path, of: attribute, object))
        }
        for element in elements {
            if let value = Self.value(at: element.path, in: dictionary) {
                check(value, element: element, object: object, list: &list)
            } else if !element.attribute.isOptional, !isInEmptyComposite(element, of: dictionary) {
                list.add(Violation.missing(element.attribute, object, key: element.key))
            }
        }
    }

    private static func value(at path: [String], in dictionary: [String: Any]) -> Any? {
        let value = CompositeCoding.value(at: path, in: dictionary)
        return value is NSNull ? nil : value
    }

    /// Whether an element is in an optional nested composite whose elements are all nil, and so is not required.
    private func isInEmptyComposite(_ element: Element, of dictionary: [String: Any]) -> Bool {
        element.optionalComposites.contains { composite in
            elements.allSatisfy { other in
                !other.path.starts(with: composite) || Self.value(at: other.path, in: dictionary) == nil
            }
        }
    }

    private func check(_ value: Any, element: Element, object: NSManagedObject, list: inout FailureList) {
        let accepted: Any?
        do {
            accepted = try NSManagedObject.foundationValue(
                SlotCoding.accept(value, for: element.attribute, element.kind), element.kind)
        } catch let error as ValueRejection where error.code == .outOfRange {
            let range = element.kind.numberRange
            return list.add(
                range.map {
                    Violation.range(element.attribute, value: value, range: $0, object: object, key: element.key)
                }
                    ?? Violation.type(element.attribute, value: value, object: object, key: element.key))
        } catch {
            return list.add(Violation.type(element.attribute, value: value, object: object, key: element.key))
        }
        if let date = accepted as? Date, !date.timeIntervalSinceReferenceDate.isFinite {
            return list.add(Violation.invalidDate(element.attribute, object, key: element.key))
        }
        guard let accepted else { return }
        for limit in element.limits where !limit.allows(accepted) {
            list.add(
                Violation.of(limit, attribute: element.attribute, value: accepted, object: object, key: element.key))
        }
    }

    /// Returns the paths of the values in a dictionary, descending only into composites of the model.
    private static func paths(
        in dictionary: [String: Any], below path: [String], _ known: Set<[String]>
    ) -> [[String]] {
        dictionary.keys.sorted().flatMap { name -> [[String]] in
            let own = path + [name]
            guard known.contains(own), path.count < 32, let inner = dictionary[name] as? [String: Any] else {
                return [own]
            }
            return paths(in: inner, below: own, known)
        }
    }
}
