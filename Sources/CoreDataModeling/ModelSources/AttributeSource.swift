import CoreDataFoundation

/// Turns an `<attribute>` of a model's source into a description.
enum AttributeSource {
    static func makeAttribute(_ element: inout SourceElement) -> NSAttributeDescription {
        let typeName = element.takeText("attributeType")
        let isDerived = element.takeFlag("derived") ?? false
        let attribute = make(typeName: typeName, isDerived: isDerived, &element)
        element.takeCommon(into: attribute)
        attribute.attributeType = type(named: typeName, element)
        attribute.usesScalarValueType = element.takeFlag("usesScalarValueType")
        attribute.valueTransformerName = element.takeText("valueTransformerName")
        attribute.declaredValueClassName = element.takeText("customClassName")
        attribute.allowsExternalBinaryDataStorage = element.takeFlag("allowsExternalBinaryDataStorage") ?? false
        attribute.preservesValueInHistoryOnDeletion = element.takeFlag("preserveAfterDeletion") ?? false
        attribute.allowsCloudEncryption = element.takeFlag("allowsCloudEncryption") ?? false
        attribute.defaultValue = takeDefault(for: attribute, &element)
        attribute.validationRules = takeRules(for: attribute, &element)
        attribute.notes = element.notes
        return attribute
    }

    private static func make(
        typeName: String?, isDerived: Bool, _ element: inout SourceElement
    ) -> NSAttributeDescription {
        if isDerived {
            let derived = NSDerivedAttributeDescription()
            derived.derivationText = element.takeText("derivationExpression")
            return derived
        }
        guard typeName == "Composite" else { return NSAttributeDescription() }
        let composite = NSCompositeAttributeDescription()
        composite.compositeName = element.takeText("composite")
        return composite
    }

    static let types: [String: NSAttributeType] = [
        "Integer 16": .integer16AttributeType, "Integer 32": .integer32AttributeType,
        "Integer 64": .integer64AttributeType, "Decimal": .decimalAttributeType, "Double": .doubleAttributeType,
        "Float": .floatAttributeType, "String": .stringAttributeType, "Boolean": .booleanAttributeType,
        "Date": .dateAttributeType, "Binary": .binaryDataAttributeType, "UUID": .UUIDAttributeType,
        "URI": .URIAttributeType, "Transformable": .transformableAttributeType, "ObjectID": .objectIDAttributeType,
        "Object ID": .objectIDAttributeType, "Composite": .compositeAttributeType,
        "Undefined": .undefinedAttributeType,
    ]

    private static func type(named name: String?, _ element: SourceElement) -> NSAttributeType {
        guard let name else { return .undefinedAttributeType }
        if let type = types[name] { return type }
        element.fault("<attribute> has the unknown type '\(name)'", DocumentRules.unknownType)
        return .undefinedAttributeType
    }

    // MARK: Defaults

    private static func takeDefault(
        for attribute: NSAttributeDescription, _ element: inout SourceElement
    ) -> Any? {
        if attribute.attributeType == .dateAttributeType {
            return takeSeconds("defaultDateTimeInterval", text: "defaultValueString", &element)
        }
        guard let text = element.take("defaultValueString") else { return nil }
        if attribute.attributeType == .stringAttributeType { return text }
        guard !text.isEmpty else { return nil }
        if let value = value(of: text, type: attribute.attributeType) { return value }
        element.fault(
            "'\(attribute.name)' has the default '\(text)', which its type does not allow", DocumentRules.defaultType)
        return nil
    }

    static func value(of text: String, type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType: integer(text, Int16.self).map(NSNumber.init(value:))
        case .integer32AttributeType: integer(text, Int32.self).map(NSNumber.init(value:))
        case .integer64AttributeType: integer(text, Int64.self).map(NSNumber.init(value:))
        case .booleanAttributeType: boolean(text).map(NSNumber.init(value:))
        case .doubleAttributeType: Double(text).map(NSNumber.init(value:))
        case .floatAttributeType: Float(text).map(NSNumber.init(value:))
        case .decimalAttributeType: decimal(text).map(NSDecimalNumber.init(decimal:))
        case .UUIDAttributeType: UUID(uuidString: text)
        case .URIAttributeType: URL(string: text)
        default: text
        }
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "1": true
        case "no", "false", "0": false
        default: nil
        }
    }

    /// An integer, which the editor may have written with a fraction of zeros.
    private static func integer<Number: FixedWidthInteger>(_ text: String, _: Number.Type) -> Number? {
        Number(text) ?? Double(text).flatMap(Number.init(exactly:))
    }

    /// A decimal number in digits; `Decimal(string:)` alone would accept what follows them.
    static func decimal(_ text: String) -> Decimal? {
        guard Double(text)?.isFinite == true, text.utf8.allSatisfy({ "+-0123456789.eE".utf8.contains($0) }) else {
            return nil
        }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// A date as seconds since 2001; the text beside them, which is for the editor's reader, is noted if it stands alone.
    private static func takeSeconds(_ key: String, text: String, _ element: inout SourceElement) -> Date? {
        guard let seconds = element.take(key) else { return nil }
        _ = element.take(text)
        guard let number = Double(seconds), number.isFinite else {
            element.fault("'\(key)' is no number of seconds: '\(seconds)'")
            return nil
        }
        return Date(timeIntervalSinceReferenceDate: number)
    }

    // MARK: Limits

    private static func takeRules(
        for attribute: NSAttributeDescription, _ element: inout SourceElement
    ) -> [ValidationRule] {
        var rules: [ValidationRule] = []
        switch attribute.attributeType {
        case .dateAttributeType:
            let earliest = takeSeconds("minDateTimeInterval", text: "minValueString", &element)
            let latest = takeSeconds("maxDateTimeInterval", text: "maxValueString", &element)
            rules = [earliest.map { .init(.earliest($0)) }, latest.map { .init(.latest($0)) }].compactMap { $0 }
        case .stringAttributeType:
            let shortest = element.takeInteger("minValueString").map { ValidationRule(.minimumLength($0)) }
            let longest = element.takeInteger("maxValueString").map { ValidationRule(.maximumLength($0)) }
            let pattern = element.takeText("regularExpressionString").map { ValidationRule(.pattern($0)) }
            rules = [shortest, longest, pattern].compactMap { $0 }
        default:
            let least = takeNumber("minValueString", &element).map { ValidationRule(.minimum($0)) }
            let greatest = takeNumber("maxValueString", &element).map { ValidationRule(.maximum($0)) }
            rules = [least, greatest].compactMap { $0 }
        }
        return rules
    }

    private static func takeNumber(_ key: String, _ element: inout SourceElement) -> Decimal? {
        guard let text = element.takeText(key) else { return nil }
        if let number = decimal(text) { return number }
        element.fault("'\(key)' is no number: '\(text)'")
        return nil
    }
}
