import CoreDataModeling

extension NSManagedObject {
    /// Checks the rules of the model: mandatory properties, number and date limits, lengths and patterns.
    ///
    /// Of a saved object only what changed is checked.
    func validateModelRules() throws {
        var errors: [NSError] = []
        for slot in layout.ruledSlots {
            guard isInserted || working?.isChanged(slot) == true else { continue }
            switch layout.slots[slot].content {
            case .attribute(let attribute, _):
                errors += ModelRules.violations(of: attribute, attributeValue(slot), self)
            case .toOne(let relationship):
                let isMissing = relatedObject(slot) == nil
                if isMissing, !relationship.isOptional { errors.append(ModelRules.missing(relationship, self)) }
            case .targetNumber: continue
            }
        }
        for number in layout.ruledToMany {
            guard isInserted || toManyLinks(number)?.hasChanges == true else { continue }
            errors += ModelRules.violations(of: layout.toMany[number], relatedObjects(number).count, self)
        }
        guard let first = errors.first else { return }
        throw errors.count == 1 ? first : ModelRules.combined(errors)
    }
}

/// The limits that a model sets for values, and the errors that Core Data documents for them.
enum ModelRules {
    static func violations(
        of attribute: NSAttributeDescription, _ value: Any?, _ object: NSManagedObject
    ) -> [NSError] {
        guard let value else {
            return attribute.isOptional || attribute is NSDerivedAttributeDescription
                ? [] : [missing(attribute, object)]
        }
        return attribute.validationRules.compactMap { rule in
            code(of: rule, brokenBy: value).map { error($0, attribute, object, value, rule) }
        }
    }

    /// Too few or too many members; an optional relationship may also be empty.
    static func violations(
        of relationship: NSRelationshipDescription, _ count: Int, _ object: NSManagedObject
    ) -> [NSError] {
        if count == 0, relationship.isOptional { return [] }
        if count < relationship.minCount {
            return [error(NSValidationRelationshipLacksMinimumCountError, relationship, object, nil)]
        }
        guard relationship.maxCount > 0, count > relationship.maxCount else { return [] }
        return [error(NSValidationRelationshipExceedsMaximumCountError, relationship, object, nil)]
    }

    static func missing(_ property: NSPropertyDescription, _ object: NSManagedObject) -> NSError {
        error(NSValidationMissingMandatoryPropertyError, property, object, nil)
    }

    static func combined(_ errors: [NSError]) -> NSError {
        CoreDataError.make(
            NSValidationMultipleErrorsError, "Multiple validation errors occurred.",
            reason: errors.map(\.localizedDescription).joined(separator: " "),
            userInfo: [NSDetailedErrorsKey: errors.flatMap(parts)])
    }

    /// The single errors of one that may be several.
    static func parts(_ error: NSError) -> [NSError] {
        error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
    }

    /// The code of the error for a broken rule; nil for one that is kept.
    private static func code(of rule: ValidationRule, brokenBy value: Any) -> Int? {
        guard isBroken(rule, by: value) else { return nil }
        return rule.warning.flatMap(Int.init) ?? rule.errorCode
    }

    private static func isBroken(_ rule: ValidationRule, by value: Any) -> Bool {
        switch (rule.check, value) {
        case (.minimum(let limit), let number as NSNumber): number.decimalValue < limit
        case (.maximum(let limit), let number as NSNumber): number.decimalValue > limit
        case (.earliest(let limit), let date as Date): date < limit
        case (.latest(let limit), let date as Date): date > limit
        case (.minimumLength(let limit), let text as String): text.utf16.count < limit
        case (.maximumLength(let limit), let text as String): text.utf16.count > limit
        case (.pattern, _ as String), (.predicate, _): !holds(rule.predicate, for: value)
        default: false
        }
    }

    /// Whether a rule's predicate holds; one that cannot be evaluated lets no value pass.
    private static func holds(_ predicate: NSPredicate?, for value: Any) -> Bool {
        guard let predicate else { return false }
        return (try? evaluation(of: predicate, on: value)) ?? false
    }

    private static func error(
        _ code: Int, _ property: NSPropertyDescription, _ object: NSManagedObject, _ value: Any?,
        _ rule: ValidationRule? = nil
    ) -> NSError {
        var info: [String: Any] = [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: property.name]
        if let value { info[NSValidationValueErrorKey] = value }
        if let predicate = rule?.predicate { info[NSValidationPredicateErrorKey] = predicate }
        // A warning is the number of an error, or what the model's author has to say.
        let entity = object.entity
        let model = entity.managedObjectModel
        if let warning = rule?.warning, Int(warning) == nil {
            return CoreDataError.make(code, model?.localizedErrorText(warning) ?? warning, userInfo: info)
        }
        let names = (
            property: model?.localizedName(of: property, in: entity) ?? property.name,
            entity: model?.localizedName(of: entity) ?? entity.name ?? ""
        )
        let text = model?.localizedErrorText(text(code)) ?? text(code)
        return CoreDataError.make(code, "'\(names.property)' of entity '\(names.entity)' \(text).", userInfo: info)
    }

    private static func text(_ code: Int) -> String {
        switch code {
        case NSValidationMissingMandatoryPropertyError: "is required and has no value"
        case NSValidationNumberTooSmallError: "is smaller than the model allows"
        case NSValidationNumberTooLargeError: "is greater than the model allows"
        case NSValidationDateTooSoonError: "is earlier than the model allows"
        case NSValidationDateTooLateError: "is later than the model allows"
        case NSValidationStringTooShortError: "is shorter than the model allows"
        case NSValidationStringTooLongError: "is longer than the model allows"
        case NSValidationRelationshipLacksMinimumCountError: "has fewer objects than the model asks for"
        case NSValidationRelationshipExceedsMaximumCountError: "has more objects than the model allows"
        case NSManagedObjectValidationError: "breaks a rule of the model"
        default: "does not match the pattern that the model asks for"
        }
    }
}
