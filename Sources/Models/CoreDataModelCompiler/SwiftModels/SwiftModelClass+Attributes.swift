import CoreDataModeling

/// Attributes as variables.
extension SwiftModelClass {
    mutating func member(ofAttribute attribute: NSAttributeDescription) -> Member? {
        if attribute is NSDerivedAttributeDescription {
            lose(
                attribute, "is derived", remedy: "make it a computed property, or one that code keeps up to date",
                changesHash: !attribute.isTransient)
            return nil
        }
        var options = options(of: attribute)
        guard let type = type(of: attribute, &options) else { return nil }
        if let modifier = attribute.declaredRenamingIdentifier, modifier != attribute.name {
            options.named.append("originalName: \(SwiftName.literal(modifier))")
        }
        if let modifier = attribute.versionHashModifier {
            options.named.append("hashModifier: \(SwiftName.literal(modifier))")
        }
        let value = defaultText(of: attribute)
        let whole = type + (attribute.isOptional ? "?" : "")
        let arguments = options.plain + options.named
        let macro = arguments.isEmpty ? "" : "\(names.macro("Attribute"))(\(arguments.joined(separator: ", "))) "
        return Member(
            key: attribute.name, type: whole,
            line: "\(macro)var \(SwiftName.escaped(attribute.name)): \(whole)" + (value.map { " = \($0)" } ?? ""),
            isRequired: value == nil && !attribute.isOptional)
    }

    /// The arguments of `@Attribute`.
    struct Options {
        var plain: [String] = []
        var named: [String] = []
    }

    private func options(of attribute: NSAttributeDescription) -> Options {
        let isUnique = entity.uniquenessConstraints.contains { $0.count == 1 && $0.first as? String == attribute.name }
        let all: [(String, Bool)] = [
            (".unique", isUnique), (".externalStorage", attribute.allowsExternalBinaryDataStorage),
            (".ephemeral", attribute.isTransient), (".spotlight", attribute.isIndexedBySpotlight),
            (".allowsCloudEncryption", attribute.allowsCloudEncryption),
            (".preserveValueOnDeletion", attribute.preservesValueInHistoryOnDeletion),
        ]
        return Options(plain: all.filter(\.1).map(\.0))
    }

    /// The type without `?`; nil if no variable can be the attribute.
    private mutating func type(of attribute: NSAttributeDescription, _ options: inout Options) -> String? {
        if let composite = attribute as? NSCompositeAttributeDescription {
            return compositeType(of: composite, in: attribute, isOptional: attribute.isOptional)
        }
        if let simple = Self.simpleType(attribute.attributeType) { return names.plain(simple) }
        guard attribute.attributeType == .transformableAttributeType else {
            lose(
                attribute,
                attribute.attributeType == .undefinedAttributeType ? "has no type" : "has a type that no variable has",
                remedy: attribute.isTransient
                    ? "add a @Transient variable by hand" : "choose another type in a new version",
                changesHash: !attribute.isTransient)
            return nil
        }
        return transformableType(of: attribute, &options)
    }

    private mutating func transformableType(of attribute: NSAttributeDescription, _ options: inout Options) -> String? {
        let transformer = attribute.valueTransformerName ?? ""
        let secure = "NSSecureUnarchiveFromData"
        let named = attribute.declaredValueClassName ?? ""
        if ["", secure].contains(transformer), let element = Self.listElement(named) {
            return "[\(names.plain(element))]"
        }
        options.plain.append(".transformable(by: \(SwiftName.literal(transformer.isEmpty ? secure : transformer)))")
        guard let type = try? AttributeTypes.objectType(of: attribute) else {
            lose(attribute, "names '\(named)', which is no Swift type", remedy: "correct the type in the source")
            return names.plain("NSObject")
        }
        return type == "NSObject" ? names.plain(type) : type
    }

    /// The element of a list of simple values whose class the model names: `Array<String>` or `[String]`.
    private static func listElement(_ name: String) -> String? {
        let inner: Substring
        if name.hasPrefix("Array<"), name.hasSuffix(">") {
            inner = name.dropFirst(6).dropLast()
        } else if name.hasPrefix("["), name.hasSuffix("]") {
            inner = name.dropFirst().dropLast()
        } else {
            return nil
        }
        let known = [
            "Int", "Int16", "Int32", "Int64", "Bool", "Double", "Float", "String", "Date", "Data", "UUID", "URL",
            "Decimal",
        ]
        return known.contains(String(inner)) ? String(inner) : nil
    }

    /// The type of a variable for attributes of a kind; nil for kinds of which the type alone does not say all.
    static func simpleType(_ type: NSAttributeType) -> String? {
        switch type {
        case .integer16AttributeType: "Int16"
        case .integer32AttributeType: "Int32"
        case .integer64AttributeType: "Int"
        case .doubleAttributeType: "Double"
        case .floatAttributeType: "Float"
        case .booleanAttributeType: "Bool"
        case .decimalAttributeType: "Decimal"
        case .stringAttributeType: "String"
        case .dateAttributeType: "Date"
        case .binaryDataAttributeType: "Data"
        case .UUIDAttributeType: "UUID"
        case .URIAttributeType: "URL"
        default: nil
        }
    }

    private mutating func defaultText(of attribute: NSAttributeDescription) -> String? {
        guard let value = attribute.defaultValue else { return nil }
        if attribute is NSCompositeAttributeDescription, (value as? [String: Any])?.isEmpty == true { return nil }
        if let text = SwiftDefault.text(of: value, as: attribute.attributeType, names) { return text }
        lose(attribute, "has a default that no literal says", remedy: "set the value in the initializer")
        return nil
    }
}
