import CoreDataModeling

/// Composite attributes as structures and enumerations, nested in the class.
extension SwiftModelClass {
    /// The name of a type for a composite, which is added to `composites`; nil if no type can be it.
    mutating func compositeType(
        of composite: NSCompositeAttributeDescription, in attribute: NSAttributeDescription, isOptional: Bool
    ) -> String? {
        let elements = composite.elements
        guard !elements.isEmpty, elements.allSatisfy({ SwiftName.isIdentifier($0.name) }) else {
            lose(
                attribute, "has no elements, or one with a name that no variable can have",
                remedy: "rename them in a new version", changesHash: true)
            return nil
        }
        let isEnumeration = Self.isTrue(composite.userInfo?["EnumType"]) && elements.allSatisfy(\.isOptional)
        let lines: [String]?
        if isEnumeration, elements.count == 1, elements[0].name == composite.name {
            lines = rawType(elements[0])
            lose(
                attribute, "is an enumeration, and the model lacks its cases",
                remedy: "write an enumeration with raw values in place of the structure")
        } else if isEnumeration, elements.allSatisfy({ $0.attributeType == .stringAttributeType }) {
            lines = [
                ": \(names.plain("Codable")) {",
                "    case \(elements.map { SwiftName.escaped($0.name) }.joined(separator: ", "))", "}",
            ]
        } else {
            lines = structure(elements, in: attribute, isOptional: isOptional)
        }
        guard let lines else { return nil }
        let kind = isEnumeration && lines[0].hasPrefix(": \(names.plain("Codable"))") ? "enum" : "struct"
        return add(name: composite.compositeName ?? composite.name, kind, lines)
    }

    /// What an enumeration with raw values is as a structure, since the model does not have its cases.
    private func rawType(_ element: NSAttributeDescription) -> [String]? {
        guard let type = Self.simpleType(element.attributeType) else { return nil }
        return [
            ": \(names.plain("RawRepresentable")), \(names.plain("Codable")), Hashable {",
            "    var rawValue: \(names.plain(type))", "}",
        ]
    }

    private mutating func structure(
        _ elements: [NSAttributeDescription], in attribute: NSAttributeDescription, isOptional: Bool
    ) -> [String]? {
        if isOptional, elements.contains(where: { !$0.isOptional }) {
            lose(
                attribute, "is optional, and its elements are not",
                remedy: "make the elements optional in a new version", changesHash: true)
        }
        var lines: [String] = []
        for element in elements {
            let type: String?
            if let inner = element as? NSCompositeAttributeDescription {
                type = compositeType(of: inner, in: attribute, isOptional: isOptional || element.isOptional)
            } else {
                type = Self.simpleType(element.attributeType).map(names.plain)
            }
            guard let type else {
                lose(
                    attribute, "has the element '\(element.name)', whose type no variable has",
                    remedy: "choose another type in a new version", changesHash: true)
                return nil
            }
            lines.append("    var \(SwiftName.escaped(element.name)): \(type)\(element.isOptional ? "?" : "")")
        }
        return [": \(names.plain("Codable")), Hashable {"] + lines + ["}"]
    }

    /// Declares a type under a name that nothing else in the class has; one type for equal declarations.
    private mutating func add(name: String, _ kind: String, _ lines: [String]) -> String {
        let valid = SwiftName.isIdentifier(name) ? SwiftName.capitalized(name) : "Value"
        var name = names.isFree(valid) ? valid : valid + "Value"
        var number = 2
        while true {
            let whole = ["\(kind) \(SwiftName.escaped(name))\(lines[0])"] + lines.dropFirst()
            guard let known = composites.first(where: { $0.name == name }) else {
                composites.append((name, whole))
                return SwiftName.escaped(name)
            }
            if known.lines == whole { return SwiftName.escaped(name) }
            name = "\(valid)\(number)"
            number += 1
        }
    }

    private static func isTrue(_ value: Any?) -> Bool {
        if let number = value as? NSNumber { return number.boolValue }
        return ["true", "YES", "1"].contains(value as? String ?? "")
    }
}
