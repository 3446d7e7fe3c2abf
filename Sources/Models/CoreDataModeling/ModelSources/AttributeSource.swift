import CoreDataFoundation

/// Makes attribute descriptions from `<attribute>` elements of a model's source.
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
        takeDefault(for: attribute, &element)
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

    private static func takeDefault(for attribute: NSAttributeDescription, _ element: inout SourceElement) {
        if attribute.attributeType == .dateAttributeType {
            attribute.defaultValue = takeSeconds(
                "defaultDateTimeInterval", text: "defaultValueString", attribute: attribute, element: &element)
        } else if let text = element.take("defaultValueString") {
            setDefault(text, of: attribute)
        }
    }

    /// Sets the default value of an attribute from its text, which is converted leniently if it does not fit the type.
    static func setDefault(_ text: String, of attribute: NSAttributeDescription) {
        let type = attribute.attributeType
        if type == .stringAttributeType {
            attribute.defaultValue = text
        } else if let value = text.isEmpty ? nil : value(of: text, type: type) {
            attribute.defaultValue = value
        } else if !text.isEmpty {
            attribute.defaultValue = LenientDefault.value(of: text, type: type)
            attribute.unfitTexts["defaultValueString"] = text
        }
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
        case .binaryDataAttributeType, .objectIDAttributeType, .compositeAttributeType: nil
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

    /// The integer of a text, which may have a fraction of zeros, as the editor writes it; nil for any other text.
    private static func integer<Number: FixedWidthInteger>(_ text: String, _: Number.Type) -> Number? {
        Number(text) ?? Double(text).flatMap(Number.init(exactly:))
    }

    /// The decimal number of a text; nil unless all of the text is a number, which `Decimal(string:)` does not check.
    static func decimal(_ text: String) -> Decimal? {
        guard Double(text)?.isFinite == true, text.utf8.allSatisfy({ "+-0123456789.eE".utf8.contains($0) }) else {
            return nil
        }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Takes a date in seconds since 2001, and its text for human readers, which becomes a note if there are no
    /// seconds.
    private static func takeSeconds(
        _ key: String, text: String, attribute: NSAttributeDescription, element: inout SourceElement
    ) -> Date? {
        guard let seconds = element.take(key) else { return nil }
        _ = element.take(text)
        guard let number = Double(seconds), number.isFinite else {
            attribute.unfitTexts[key] = seconds
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
            let earliest = takeSeconds(
                "minDateTimeInterval", text: "minValueString", attribute: attribute, element: &element)
            let latest = takeSeconds(
                "maxDateTimeInterval", text: "maxValueString", attribute: attribute, element: &element)
            rules = [earliest.map { .init(.earliest($0)) }, latest.map { .init(.latest($0)) }].compactMap { $0 }
        case .stringAttributeType:
            let shortest = takeLimit("minValueString", attribute: attribute, element: &element) { Int($0) }
            let longest = takeLimit("maxValueString", attribute: attribute, element: &element) { Int($0) }
            let pattern = element.takeText("regularExpressionString").map { ValidationRule(.pattern($0)) }
            rules = [shortest.map { .init(.minimumLength($0)) }, longest.map { .init(.maximumLength($0)) }, pattern]
                .compactMap { $0 }
        default:
            let least = takeLimit("minValueString", attribute: attribute, element: &element, read: decimal)
            let greatest = takeLimit("maxValueString", attribute: attribute, element: &element, read: decimal)
            rules = [least.map { .init(.minimum($0)) }, greatest.map { .init(.maximum($0)) }].compactMap { $0 }
        }
        return rules
    }

    /// Takes a limit, converted by `read`; a text that cannot be converted is recorded in `unfitTexts` and otherwise
    /// ignored.
    private static func takeLimit<Limit>(
        _ key: String, attribute: NSAttributeDescription, element: inout SourceElement,
        read: (String) -> Limit?
    ) -> Limit? {
        guard let text = element.takeText(key) else { return nil }
        if let limit = read(text) { return limit }
        attribute.unfitTexts[key] = text
        return nil
    }
}
