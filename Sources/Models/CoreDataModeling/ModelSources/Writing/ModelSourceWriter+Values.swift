import CoreDataFoundation

extension ModelSourceWriter {
    /// The XML attributes for the default value of an attribute.
    mutating func defaultValue(of attribute: NSAttributeDescription) -> [(String, String?)] {
        if let text = attribute.unfitTexts["defaultValueString"] { return [("defaultValueString", text)] }
        guard let value = attribute.defaultValue else { return [] }
        if attribute.attributeType == .dateAttributeType, let date = value as? Date {
            return [
                ("defaultDateTimeInterval", DateText.seconds(of: date)),
                ("defaultValueString", DateText.text(of: date)),
            ]
        }
        guard let text = text(of: value, type: attribute.attributeType) else {
            losses.append("the default of '\(attribute.qualifiedName)', for whose type a source has no form")
            return []
        }
        return [("defaultValueString", text)]
    }

    private func text(of value: Any, type: NSAttributeType) -> String? {
        switch type {
        case .booleanAttributeType: number(value).map { $0.boolValue ? "YES" : "NO" }
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            number(value).map { "\($0.int64Value)" }
        case .doubleAttributeType: number(value).map { "\($0.doubleValue)" }
        case .floatAttributeType: number(value).map { "\($0.floatValue)" }
        case .decimalAttributeType: ExactNumber(value)?.decimal.map(plain)
        case .UUIDAttributeType: (value as? UUID)?.uuidString
        case .URIAttributeType: (value as? URL)?.absoluteString
        case .dateAttributeType: nil
        default: value as? String
        }
    }

    private func number(_ value: Any) -> NSNumber? {
        switch value {
        case let number as NSNumber: number
        case let decimal as Decimal: NSDecimalNumber(decimal: decimal)
        case let flag as Bool: NSNumber(value: flag)
        case let integer as any FixedWidthInteger: Int64(exactly: integer).map { NSNumber(value: $0) }
        case let number as Double: NSNumber(value: number)
        case let number as Float: NSNumber(value: number)
        default: nil
        }
    }

    /// A decimal number with a decimal point in every locale.
    private func plain(_ number: Decimal) -> String { "\(number)" }

    // MARK: Limits

    /// The XML attributes for the limits of an attribute's values; limits that the type cannot have in a source become
    /// losses.
    mutating func limits(of attribute: NSAttributeDescription) -> [(String, String?)] {
        var values: [(String, String?)] = []
        for (key, text) in attribute.unfitTexts.sorted(by: { $0.key < $1.key }) where key != "defaultValueString" {
            values.append((key, text))
        }
        for rule in attribute.validationRules {
            let added = limit(rule.check, type: attribute.attributeType)
            if added.isEmpty || values.contains(where: { $0.0 == added[0].0 }) {
                losses.append("a validation rule of '\(attribute.qualifiedName)'")
            } else {
                values += added
            }
            if rule.warning != nil { losses.append("a validation message of '\(attribute.qualifiedName)'") }
        }
        return values
    }

    private func limit(_ check: ValidationRule.Check, type: NSAttributeType) -> [(String, String?)] {
        let isText = type == .stringAttributeType
        let isDate = type == .dateAttributeType
        return switch check {
        case .minimum(let limit) where !isText && !isDate: [("minValueString", plain(limit))]
        case .maximum(let limit) where !isText && !isDate: [("maxValueString", plain(limit))]
        case .earliest(let limit) where isDate:
            [("minDateTimeInterval", DateText.seconds(of: limit)), ("minValueString", DateText.text(of: limit))]
        case .latest(let limit) where isDate:
            [("maxDateTimeInterval", DateText.seconds(of: limit)), ("maxValueString", DateText.text(of: limit))]
        case .minimumLength(let limit) where isText: [("minValueString", "\(limit)")]
        case .maximumLength(let limit) where isText: [("maxValueString", "\(limit)")]
        case .pattern(let pattern) where isText: [("regularExpressionString", pattern)]
        default: []
        }
    }
}
