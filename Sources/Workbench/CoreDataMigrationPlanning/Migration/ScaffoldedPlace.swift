import CoreData

/// The generated note and code at the place of a decision: a conversion if there is a sensible one, else advice.
struct ScaffoldedPlace {
    /// A comment that says what the generated code does, or what the developer must do.
    private(set) var note: String?
    /// Lines of Swift code; empty if only the developer can write them.
    private(set) var code: [String] = []

    init(_ item: ModelItem, _ entry: MappingScaffold.Entry) {
        guard let old = entry.old, let new = entry.new else { return }
        switch item.kind {
        case .attribute: attribute(new.attributesByName[item.name], old: old, new: new)
        case .relationship: relationship(new.relationshipsByName[item.name], old: old, new: new)
        default: entity(entry)
        }
    }

    private mutating func attribute(
        _ attribute: NSAttributeDescription?, old: NSEntityDescription, new: NSEntityDescription
    ) {
        guard let attribute else { return }
        let key = Self.literal(attribute.name)
        let origin = ModelMatching.properties(old, new).first { $0.new === attribute }?.old as? NSAttributeDescription
        guard let origin else { return added(attribute, key: key, old: old) }
        if origin.attributeType == attribute.attributeType {
            if origin is NSCompositeAttributeDescription {
                note = "Nothing is set. Set the elements with destination.setValue(…, forKey: \(key))."
            } else {
                note =
                    "The value is taken over. Where there is none, give one: destination.setValue(…, forKey: \(key))."
            }
            return
        }
        guard let conversion = AttributeConversion(from: origin.attributeType, to: attribute.attributeType) else {
            note =
                "Nothing is set. Make a value of source.value(forKey: \(Self.literal(origin.name))) and set it: "
                + "destination.setValue(…, forKey: \(key))."
            return
        }
        let isMissing = !attribute.isOptional && attribute.defaultValue == nil
        note = conversion.note + (isMissing ? " It is required: a value of nothing fails." : "")
        code = Self.conditional(
            "source.value(forKey: \(Self.literal(origin.name))) as? \(conversion.valueType)",
            "destination.setValue(\(conversion.expression), forKey: \(key))")
    }

    /// Describes an attribute without a counterpart: a new one, or one whose renaming identifier another attribute has,
    /// too.
    private mutating func added(_ attribute: NSAttributeDescription, key: String, old: NSEntityDescription) {
        let claimed = attribute.declaredRenamingIdentifier.flatMap { old.attributesByName[$0] }
        if let claimed, claimed.attributeType == attribute.attributeType {
            note = "It has the value of '\(claimed.name)' too."
            code = [
                "destination.setValue(source.value(forKey: \(Self.literal(claimed.name))), forKey: \(key))"
            ]
        } else {
            note = "Nothing is set. Set a value: destination.setValue(…, forKey: \(key))."
        }
    }

    private mutating func relationship(
        _ relationship: NSRelationshipDescription?, old: NSEntityDescription, new: NSEntityDescription
    ) {
        guard let relationship else { return }
        let origin = ModelMatching.properties(old, new).first { $0.new === relationship }?.old
        let set = "destination.setValue(…, forKey: \(Self.literal(relationship.name)))"
        guard let before = origin as? NSRelationshipDescription else {
            note = "Nothing is set. Find the object and set it: \(set)."
            return
        }
        if before.isOptional, !relationship.isOptional, before.isToMany == relationship.isToMany {
            note = "It leads where it led, if that can be. Where it led nowhere, find an object and set it: \(set)."
            return
        }
        let inverse = relationship.inverseRelationship.map {
            " Nor is its inverse \($0.entity.name ?? "").\($0.name), which would set it by the way."
        }
        note = "Nothing is set.\(inverse ?? "") Find what is right and set it: \(set)."
        code = [
            "// The objects of before, and by the name of another mapping what became of theirs:",
            "// manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [destination])",
            "// manager.destinationInstances(forEntityMappingName: …, sourceInstances: …)",
        ]
    }

    private mutating func entity(_ entry: MappingScaffold.Entry) {
        let (old, new) = (entry.old?.name ?? "", entry.new?.name ?? "")
        if entry.guess != nil {
            note =
                "Each object of \(old) becomes one of \(new). If only some do, return here for the others; if none does, "
                + "take the mapping out of the model."
        } else {
            note =
                "Each object of \(old) becomes one of \(new), with the values of the same names. If some become something "
                + "else, or are there twice now, return here for them."
        }
    }

    private static func conditional(_ value: String, _ statement: String) -> [String] {
        ["if let value = \(value) {", "    " + statement, "}"]
    }

    /// A text as a Swift string literal.
    static func literal(_ text: String) -> String {
        var literal = ""
        for scalar in text.unicodeScalars {
            if scalar == "\\" || scalar == "\"" {
                literal += "\\\(scalar)"
            } else if PrintableText.needsEscape(scalar) {
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                literal.unicodeScalars.append(scalar)
            }
        }
        return "\"\(literal)\""
    }
}
