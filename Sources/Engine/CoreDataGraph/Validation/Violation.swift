import CoreDataStore

/// Makes the errors for broken rules, with a description of the failure, the rule and its value, and a suggestion.
///
/// The description does not contain the value, so that it can be logged; the reason, for the user, does.
enum Violation {
    static func missing(
        _ property: NSPropertyDescription, _ object: NSManagedObject, key: String? = nil
    ) -> NSError {
        property is NSRelationshipDescription
            ? make(.missing, property: property, object: object, rule: "an object is required")
            : make(.missing, property: property, object: object, rule: "a value is required", key: key)
    }

    /// The error for a value under a name that is not an element of the composite attribute.
    static func unknownElement(
        _ path: [String], of attribute: NSAttributeDescription, _ object: NSManagedObject
    ) -> NSError {
        let key = ([attribute.name] + path).joined(separator: ".")
        let entity = object.entity.name ?? ""
        let shown = PrintableText.line(key, limit: 100)
        let names = CompositeCoding.leaves(of: attribute).prefix(20).map { $0.path.joined(separator: ".") }
        return CoreDataErrorTexts.error(
            NSManagedObjectValidationError, "The composite attribute of entity '\(entity)' has no element '\(shown)'.",
            reason: "The elements of '\(attribute.name)' are: \(names.joined(separator: ", ")).",
            hint: "Leave the element out, or add it to the model.",
            userInfo: [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: key])
    }

    static func of(
        _ limit: ValueLimit, attribute: NSAttributeDescription, value: Any?, object: NSManagedObject,
        key: String? = nil
    ) -> NSError {
        // The model's warning for a rule is either an error code or a text of the model's author.
        let own = limit.rule.warning.flatMap { Int($0) == nil ? $0 : nil }
        return make(
            ViolationKind(code: limit.errorCode), property: attribute, object: object, code: limit.errorCode,
            value: value,
            rule: RuleText.text(limit.rule), predicate: limit.predicate, text: own, key: key)
    }

    /// The error for a number outside the range of the attribute's type.
    static func range(
        _ attribute: NSAttributeDescription, value: Any, range: NumberRange, object: NSManagedObject,
        key: String? = nil
    ) -> NSError {
        let isLow = (value as? NSNumber).map { $0.doubleValue < 0 } ?? false
        return make(
            isLow ? .numberTooSmall : .numberTooLarge, property: attribute, object: object, value: value,
            rule: range.text, key: key)
    }

    static func tooFew(
        _ count: Int, relationship: NSRelationshipDescription, object: NSManagedObject
    ) -> NSError {
        make(
            .tooFew, property: relationship, object: object, value: NSNumber(value: count),
            valueText: RuleText.objects(count),
            rule: "at least \(RuleText.objects(relationship.minCount))")
    }

    static func tooMany(
        _ count: Int, relationship: NSRelationshipDescription, object: NSManagedObject
    ) -> NSError {
        make(
            .tooMany, property: relationship, object: object, value: NSNumber(value: count),
            valueText: RuleText.objects(count),
            rule: "at most \(RuleText.objects(relationship.maxCount))")
    }

    static func invalidDate(
        _ attribute: NSAttributeDescription, _ object: NSManagedObject, key: String? = nil
    ) -> NSError {
        make(
            .invalidDate, property: attribute, object: object, valueText: "no moment in time", rule: "a date", key: key)
    }

    /// The error for a proposed value of a type that the property cannot have.
    static func type(
        _ property: NSPropertyDescription, value: Any?, object: NSManagedObject, key: String? = nil
    ) -> NSError {
        let kind = (property as? NSAttributeDescription).map(AttributeKind.init)
        let violation: ViolationKind =
            switch kind {
            case .date: .invalidDate
            case .uri: .invalidURI
            default: .other
            }
        let wanted = kind.map { "a value of type \($0.valueTypeName)" } ?? "objects of the relationship's destination"
        return make(violation, property: property, object: object, value: value, rule: wanted, key: key)
    }

    /// The error for a rule of the class that corrects a read-only property.
    static func readOnly(_ key: String, _ object: NSManagedObject) -> NSError {
        let entity = object.entity.name ?? ""
        return CoreDataErrorTexts.error(
            NSManagedObjectValidationError,
            "The rule for '\(key)' of entity '\(entity)' corrects a value that cannot be set.",
            reason: "'\(key)' has an accessor that only reads.", hint: "Give '\(key)' a setter in the property table.",
            userInfo: [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: key])
    }

    static func deniedDelete(
        _ relationship: NSRelationshipDescription, remaining: Int, _ object: NSManagedObject
    ) -> NSError {
        let (code, entity) = (NSValidationRelationshipDeniedDeleteError, object.entity.name ?? "")
        let rule = "no objects may be left (delete rule Deny)"
        let own = CoreDataErrorTexts.text(
            code, key: relationship.name, entity: entity, rule: rule, value: RuleText.objects(remaining))
        return CoreDataErrorTexts.error(
            code,
            own
                ?? "An object of entity '\(entity)' cannot be deleted: its relationship '\(relationship.name)' still has "
                + "\(RuleText.objects(remaining)).",
            reason: own ?? "The rule of '\(relationship.name)' is: \(rule). It has \(RuleText.objects(remaining)).",
            hint: "Delete what '\(relationship.name)' leads to first, or lead it elsewhere.",
            userInfo: [
                NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: relationship.name,
                NSValidationValueErrorKey: NSNumber(value: remaining),
            ])
    }

    static func of(_ rule: EntityRule, _ object: NSManagedObject) -> NSError {
        let (code, entity) = (NSManagedObjectValidationError, object.entity)
        let model = entity.managedObjectModel
        let keys = rule.keys.joined(separator: ", ")
        var info: [String: Any] = [NSValidationObjectErrorKey: object]
        if let key = rule.keys.first { info[NSValidationKeyErrorKey] = key }
        if let predicate = rule.predicate { info[NSValidationPredicateErrorKey] = predicate }
        let name = model?.localizedName(of: entity) ?? entity.name ?? ""
        let own = rule.message.map { model?.localizedErrorText($0) ?? $0 }
        return CoreDataErrorTexts.error(
            code, own ?? "The values of '\(keys)' of entity '\(name)' do not go together.",
            reason: rule.predicate == nil
                ? "The model's rule cannot be understood: \(rule.format)." : "The rule is: \(rule.format).",
            hint: "Change one of: \(keys).", userInfo: info)
    }

    private static func make(
        _ kind: ViolationKind, property: NSPropertyDescription, object: NSManagedObject, code: Int? = nil,
        value: Any? = nil, valueText: String? = nil, rule: String, predicate: NSPredicate? = nil, text: String? = nil,
        key element: String? = nil
    ) -> NSError {
        let code = code ?? kind.code
        let (entity, key) = (object.entity, element ?? property.name)
        let model = entity.managedObjectModel
        let name = element ?? model?.localizedName(of: property, in: entity) ?? key
        let entityName = model?.localizedName(of: entity) ?? entity.name ?? ""
        let shown = valueText ?? RuleText.text(of: value)
        // The limit is in the model and is not a value of the object, so the description may contain it.
        let limit = kind.isOfLimit ? " (\(rule))" : ""
        let translation = model?.localizedErrorText(kind.phrase) ?? kind.phrase
        let phrase = translation == kind.phrase ? kind.phrase + limit : translation
        // The program's text is used before the model's, and the model's before the library's.
        let own = CoreDataErrorTexts.text(code, key: name, entity: entityName, rule: rule, value: shown)
        let author = text.map { model?.localizedErrorText($0) ?? $0 }
        var info: [String: Any] = [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: key]
        if let value { info[NSValidationValueErrorKey] = value }
        if let predicate { info[NSValidationPredicateErrorKey] = predicate }
        return CoreDataErrorTexts.error(
            code, own ?? author ?? "'\(name)' of entity '\(entityName)' \(phrase).",
            reason: own ?? "The rule of '\(name)' is: \(rule). The value is: \(shown).",
            hint: kind.suggestion(name, rule), userInfo: info)
    }
}
