import CoreData

/// Rules about attribute values: storage classes, ranges, texts, files of large values, required values and validation
/// rules of the model.
struct AttributeValueRules {
    let store: CheckedStore

    /// A column of a table with the numbers of the entities that have an attribute in the column.
    private struct Place {
        let mapping: AttributeMapping
        let attribute: NSAttributeDescription?
        var entities: [Int]
    }

    func rules(of table: String) -> [RowRule] {
        places(in: table).flatMap { place in
            let rules = types(place, table) + ranges(place, table) + texts(place, table) + files(place, table)
            return rules + required(place, table) + limits(place, table)
        }
    }

    private func places(in table: String) -> [Place] {
        var places: [Place] = []
        var known: [String: Int] = [:]
        for entity in store.entities(in: table) {
            let attributes = store.model.entitiesByName[entity.name]?.attributesByName ?? [:]
            for mapping in entity.attributes where store.has(table, mapping.column) {
                if let index = known[mapping.column] {
                    places[index].entities.append(entity.number)
                    continue
                }
                known[mapping.column] = places.count
                places.append(
                    Place(mapping: mapping, attribute: attributes[mapping.name], entities: [entity.number]))
            }
        }
        return places
    }

    private func rule(
        _ kind: StoreFinding.Kind, place: Place, table: String, condition: (String) -> String,
        sentence: String, remedy: RowRemedy?
    ) -> RowRule {
        let column = "t." + SQLIdentifier.quoted(place.mapping.column)
        let scope = store.isOne(of: place.entities, in: table)
        return RowRule(
            kind: kind, table: table,
            property: ([place.mapping.name] + place.mapping.elementPath).joined(separator: "."),
            condition: "\(scope) AND (\(condition(column)))", sentence: sentence, remedy: remedy)
    }

    private func emptied(_ place: Place, _ table: String) -> RowRemedy {
        .assign(
            "The value becomes nil; what was there stays in the backup.", table: table,
            values: [(place.mapping.column, "NULL")])
    }

    // MARK: Types

    private func types(_ place: Place, _ table: String) -> [RowRule] {
        guard let allowed = Self.storageClasses(place.mapping.type) else { return [] }
        let names = (allowed + ["null"]).map { "'\($0)'" }.joined(separator: ", ")
        let wrongType = rule(
            .wrongType, place: place, table: table, condition: { "typeof(\($0)) NOT IN (\(names))" },
            sentence: "The value is stored as another type than that of the attribute.", remedy: emptied(place, table))
        guard place.mapping.type == .UUIDAttributeType else { return [wrongType] }
        return [
            wrongType,
            rule(
                .wrongType, place: place, table: table, condition: { "typeof(\($0)) = 'blob' AND length(\($0)) <> 16" },
                sentence: "The value has not the 16 bytes of a UUID.", remedy: emptied(place, table)),
        ]
    }

    /// The storage classes of SQLite that an attribute type's values can have; nil for types that have no column of
    /// their own.
    private static func storageClasses(_ type: NSAttributeType) -> [String]? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            ["integer"]
        case .dateAttributeType, .doubleAttributeType, .floatAttributeType: ["real", "integer"]
        // Some programs store decimals with more digits than a REAL has as text.
        case .decimalAttributeType: ["real", "integer", "text"]
        case .stringAttributeType, .URIAttributeType: ["text"]
        case .binaryDataAttributeType, .transformableAttributeType, .UUIDAttributeType: ["blob"]
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: nil
        }
    }

    private func ranges(_ place: Place, _ table: String) -> [RowRule] {
        let bits: Int64
        switch place.mapping.type {
        case .integer16AttributeType: bits = 16
        case .integer32AttributeType: bits = 32
        default: return []
        }
        let bound = Int64(1) << (bits - 1)
        return [
            rule(
                .outOfRange, place: place, table: table,
                condition: { "typeof(\($0)) = 'integer' AND \($0) NOT BETWEEN \(-bound) AND \(bound - 1)" },
                sentence: "The number has more than the \(bits) bits of the attribute.", remedy: emptied(place, table))
        ]
    }

    // MARK: Texts

    private func texts(_ place: Place, _ table: String) -> [RowRule] {
        let column = "t." + SQLIdentifier.quoted(place.mapping.column)
        switch place.mapping.type {
        case .decimalAttributeType:
            return [
                rule(
                    .wrongType, place: place, table: table,
                    condition: { "typeof(\($0)) = 'text' AND \(CheckFunctions.isDecimal)(\($0)) = 0" },
                    sentence: "The text is not a number.", remedy: emptied(place, table))
            ]
        case .stringAttributeType, .URIAttributeType:
            let repaired = "CASE WHEN \(CheckFunctions.isText)(\(column)) THEN \(column) ELSE "
            return [
                rule(
                    .invalidText, place: place, table: table,
                    condition: { "typeof(\($0)) = 'text' AND \(CheckFunctions.isText)(\($0)) = 0" },
                    sentence: "The text is not valid UTF-8.",
                    remedy: .assign(
                        "Bytes that are not characters become U+FFFD; what was there stays in the backup.",
                        table: table,
                        values: [(place.mapping.column, repaired + "\(CheckFunctions.repairedText)(\(column)) END")]))
            ]
        default: return []
        }
    }

    // MARK: Large values

    private func files(_ place: Place, _ table: String) -> [RowRule] {
        guard place.mapping.allowsExternalStorage else { return [] }
        let names = { (column: String) in "typeof(\(column)) = 'blob' AND substr(\(column), 1, 1) = x'02'" }
        let flaw = CheckFunctions.fileFlaw
        return [
            rule(
                .wrongType, place: place, table: table,
                condition: {
                    "typeof(\($0)) = 'blob' AND length(\($0)) > 0 AND substr(\($0), 1, 1) NOT IN (x'01', x'02')"
                },
                sentence: "The value does not begin with the byte that says where it is kept.",
                remedy: emptied(place, table)),
            rule(
                .missingFile, place: place, table: table,
                condition: { "\(names($0)) AND \(flaw)(\($0)) = \(LargeValueFlaw.missing.rawValue)" },
                sentence: "The file of the large value is missing.", remedy: emptied(place, table)),
            rule(
                .unusableFile, place: place, table: table,
                condition: { "\(names($0)) AND \(flaw)(\($0)) = \(LargeValueFlaw.name.rawValue)" },
                sentence: "The large value is in a file whose name is not a UUID, so nothing is read.",
                remedy: emptied(place, table)),
            // The purpose of such an entry is unknown: the repair does not follow links and leaves value and entry
            // unchanged.
            rule(
                .unusableFile, place: place, table: table,
                condition: { "\(names($0)) AND \(flaw)(\($0)) = \(LargeValueFlaw.kind.rawValue)" },
                sentence: "The file of the large value is a link, a folder, has further names or cannot be looked at.",
                remedy: nil),
        ]
    }

    // MARK: Required values

    private func required(_ place: Place, _ table: String) -> [RowRule] {
        guard let attribute = place.attribute, !attribute.isOptional, place.mapping.elementPath.isEmpty,
            place.mapping.derivation == nil, !(attribute is NSDerivedAttributeDescription)
        else { return [] }
        return [
            rule(
                .missingValue, place: place, table: table, condition: { "\($0) IS NULL" },
                sentence: "The attribute is required and has no value.",
                remedy: defaultValue(attribute).map {
                    .assign(
                        "It gets the default value of the model.", table: table, values: [(place.mapping.column, $0)])
                })
        ]
    }

    // MARK: Rules of the model

    private func limits(_ place: Place, _ table: String) -> [RowRule] {
        guard let attribute = place.attribute, place.mapping.elementPath.isEmpty, place.mapping.derivation == nil,
            !(attribute is NSDerivedAttributeDescription)
        else { return [] }
        return attribute.validationRules.compactMap { limit in
            guard let (condition, sentence) = Self.violation(limit.check, place.mapping.type) else { return nil }
            return rule(.brokenRule, place: place, table: table, condition: condition, sentence: sentence, remedy: nil)
        }
    }

    /// The SQL condition that is true for values of a column that violate a validation rule, and the finding's
    /// sentence.
    ///
    /// Nil for rules that the check does not express in SQL, such as arbitrary predicates.
    private static func violation(
        _ check: ValidationRule.Check, _ type: NSAttributeType
    ) -> (condition: (String) -> String, sentence: String)? {
        let isNumber = { (column: String) in "typeof(\(column)) IN ('integer', 'real')" }
        let length = { (column: String) in "typeof(\(column)) = 'text' AND \(CheckFunctions.length)(\(column))" }
        switch check {
        case .minimum(let least):
            let number = number(least, type)
            return (
                { "\(isNumber($0)) AND \($0) < \(number)" }, "The number is less than \(least), the least of the model."
            )
        case .maximum(let most):
            let number = number(most, type)
            return (
                { "\(isNumber($0)) AND \($0) > \(number)" },
                "The number is more than \(most), the greatest of the model."
            )
        case .earliest(let date):
            return (
                { "\(isNumber($0)) AND \($0) < \(date.timeIntervalSinceReferenceDate)" },
                "The date is before the earliest of the model."
            )
        case .latest(let date):
            return (
                { "\(isNumber($0)) AND \($0) > \(date.timeIntervalSinceReferenceDate)" },
                "The date is after the latest of the model."
            )
        case .minimumLength(let least) where type == .stringAttributeType:
            return (
                { "\(length($0)) < \(least)" },
                "The text has fewer than the \(least) characters that the model demands."
            )
        case .maximumLength(let most) where type == .stringAttributeType:
            return (
                { "\(length($0)) > \(most)" }, "The text has more than the \(most) characters that the model allows."
            )
        case .pattern(let pattern) where type == .stringAttributeType:
            let literal = "'" + pattern.replacing("'", with: "''") + "'"
            return (
                { "typeof(\($0)) = 'text' AND \(CheckFunctions.matches)(\(literal), \($0)) = 0" },
                "The text does not match the pattern of the model."
            )
        case .minimumLength, .maximumLength, .pattern, .predicate: return nil
        }
    }

    /// A limit as an SQL literal; for a float attribute it is rounded to 32 bits first, as its stored values are.
    private static func number(_ limit: Decimal, _ type: NSAttributeType) -> String {
        let text = NSDecimalNumber(decimal: limit).stringValue
        guard type == .floatAttributeType, let float = Float(text) else { return text }
        return "\(Double(float))"
    }

    /// The attribute's default value as an SQL literal; nil without a default, and for values that have no SQL literal
    /// here.
    private func defaultValue(_ attribute: NSAttributeDescription) -> String? {
        switch (attribute.attributeType, attribute.defaultValue) {
        case (.integer16AttributeType, let value as NSNumber), (.integer32AttributeType, let value as NSNumber),
            (.integer64AttributeType, let value as NSNumber):
            "\(value.int64Value)"
        case (.booleanAttributeType, let value as NSNumber): value.boolValue ? "1" : "0"
        case (.doubleAttributeType, let value as NSNumber), (.floatAttributeType, let value as NSNumber):
            value.doubleValue.isFinite ? "\(value.doubleValue)" : nil
        case (.dateAttributeType, let value as Date): "\(value.timeIntervalSinceReferenceDate)"
        case (.stringAttributeType, let value as String):
            value.utf8.contains(0) ? nil : "'\(value.replacing("'", with: "''"))'"
        default: nil
        }
    }
}
