import CoreDataFoundation

/// The settings of an entity or a property in the old editor's archive, by the editor's keys.
///
/// An element has stereotypes, a stereotype has entries, and the value of an entry named by a key is the entry's
/// default.
struct BinarySourceSettings {
    private let archive: KeyedArchive
    private var values: [String: PropertyList] = [:]

    init(_ archive: KeyedArchive, _ element: KeyedArchive.Object) {
        self.archive = archive
        for stereotype in archive.pairs(element.fields["XDBucketForStereotypesstorage"]) ?? [] {
            guard let object = archive.object(stereotype.value) else { continue }
            for entry in archive.pairs(object.fields["XDBucketForOwnedAttributesstorage"]) ?? [] {
                guard let key = archive.string(entry.key), let setting = archive.object(entry.value) else { continue }
                values[key] = setting.fields["_default"]
            }
        }
    }

    // MARK: Settings

    func value(_ key: String) -> PropertyList? { values[key] }

    /// The text of a setting; nil if it is missing, empty or "$null", which the editor wrote for nil.
    func text(_ key: String) -> String? {
        guard let text = archive.string(values[key]), !text.isEmpty, text != "$null" else { return nil }
        return text
    }

    func integer(_ key: String) -> Int? { archive.integer(values[key]) }

    /// Whether a setting is true: a Boolean or the word "YES" of later versions of the editor.
    func flag(_ key: String) -> Bool { archive.boolean(values[key]) || text(key) == "YES" }

    func nameGroups(_ key: String) -> [[String]] {
        (archive.elements(values[key]) ?? []).compactMap { group in
            archive.elements(group)?.compactMap { archive.string($0) }
        }
    }

    // MARK: Descriptions

    func fillCommon(_ property: NSPropertyDescription) {
        property.isOptional = flag("XD_PPSK_isOptional")
        property.isTransient = flag("XD_PPSK_isTransient")
        property.isIndexed = flag("XD_PPSK_isIndexed")
        property.isIndexedBySpotlight = flag("XD_PPSK_isSpotlightIndexed")
        property.isStoredInExternalRecord = flag("XD_PPSK_isStoredInTruthFile")
        property.declaredRenamingIdentifier = text("XD_PPSK_elementID")
        property.versionHashModifier = text("XD_PPSK_versionHashModifier")
        property.userInfo = archive.userInfo(values["XD_PPSK_userInfo"])
    }

    func makeRelationship() -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.maxCount = integer("XD_PRK_maxCount") ?? (flag("XD_PRK_isToMany") ? 0 : 1)
        relationship.minCount = integer("XD_PRK_minCount") ?? 0
        relationship.isOrdered = flag("XD_PRK_ordered")
        let rule = integer("XD_PRK_deleteRule").flatMap { UInt(exactly: $0) }.flatMap(NSDeleteRule.init)
        relationship.deleteRule = rule ?? .noActionDeleteRule
        return relationship
    }

    /// - Throws: `ModelingError` `.unsupportedForm` for an unknown type.
    func makeAttribute() throws -> NSAttributeDescription {
        let number = integer("XD_PAttK_attributeType").flatMap { UInt(exactly: $0) } ?? 0
        guard let type = NSAttributeType(rawValue: number), type != .compositeAttributeType else {
            throw ModelingError(.unsupportedForm, "an attribute has the unknown type \(number)")
        }
        let attribute = NSAttributeDescription()
        attribute.attributeType = type
        attribute.valueTransformerName = text("XD_PAttK_valueTransformerName")
        attribute.allowsExternalBinaryDataStorage = flag("XD_PAttK_allowsExternalBinaryDataStorage")
        setDefault(of: attribute)
        attribute.validationRules = rules(for: attribute)
        return attribute
    }

    private func setDefault(of attribute: NSAttributeDescription) {
        guard let text = text("XD_PAttK_defaultValueAsString") else { return }
        guard attribute.attributeType == .dateAttributeType else {
            return AttributeSource.setDefault(text, of: attribute)
        }
        attribute.defaultValue = Double(text).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    /// Reads the validation rules. Limits of dates are left out: the editor wrote them as text in the user's language.
    private func rules(for attribute: NSAttributeDescription) -> [ValidationRule] {
        guard attribute.attributeType != .dateAttributeType else { return [] }
        let least = decimal("minValueString", attribute)
        let greatest = decimal("maxValueString", attribute)
        let pattern = text("XD_PAttK_regularExpressionString")
        switch attribute.attributeType {
        case .stringAttributeType:
            let checks: [ValidationRule.Check?] = [
                least.map { .minimumLength(NSDecimalNumber(decimal: $0).intValue) },
                greatest.map { .maximumLength(NSDecimalNumber(decimal: $0).intValue) }, pattern.map { .pattern($0) },
            ]
            return checks.compactMap { $0.map { ValidationRule($0) } }
        default:
            let checks: [ValidationRule.Check?] = [least.map { .minimum($0) }, greatest.map { .maximum($0) }]
            return checks.compactMap { $0.map { ValidationRule($0) } }
        }
    }

    /// The limit with a key, as later sources name it; nil for a text that is not a number, which the attribute
    /// records.
    private func decimal(_ key: String, _ attribute: NSAttributeDescription) -> Decimal? {
        guard let text = text("XD_PAttK_" + key) else { return nil }
        let number = AttributeSource.decimal(text)
        if number == nil { attribute.unfitTexts[key] = text }
        return number
    }
}
