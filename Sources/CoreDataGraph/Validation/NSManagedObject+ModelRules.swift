import CoreDataModeling

extension NSManagedObject {
    /// Checks the rules of the model: mandatory properties, number and date limits, lengths and patterns.
    ///
    /// Of a saved object only what changed is checked.
    func validateModelRules() throws {
        var errors: [NSError] = []
        for (slot, description) in layout.slots.enumerated() {
            guard isInserted || working?.isChanged(slot) == true else { continue }
            switch description.content {
            case .attribute(let attribute, _): errors += ModelRules.violations(of: attribute, attributeValue(slot), self)
            case .toOne(let relationship):
                let isMissing = relatedObject(slot) == nil
                if isMissing, !relationship.isOptional { errors.append(ModelRules.missing(relationship, self)) }
            case .targetNumber: continue
            }
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
            return attribute.isOptional || attribute is NSDerivedAttributeDescription ? [] : [missing(attribute, object)]
        }
        return attribute.validationRules.compactMap { rule in
            code(of: rule.check, brokenBy: value).map { error($0, attribute, object, value) }
        }
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

    private static func code(of check: ValidationRule.Check, brokenBy value: Any) -> Int? {
        switch (check, value) {
        case (.minimum(let limit), let number as NSNumber):
            number.decimalValue < limit ? NSValidationNumberTooSmallError : nil
        case (.maximum(let limit), let number as NSNumber):
            number.decimalValue > limit ? NSValidationNumberTooLargeError : nil
        case (.earliest(let limit), let date as Date): date < limit ? NSValidationDateTooSoonError : nil
        case (.latest(let limit), let date as Date): date > limit ? NSValidationDateTooLateError : nil
        case (.minimumLength(let limit), let text as String):
            text.utf16.count < limit ? NSValidationStringTooShortError : nil
        case (.maximumLength(let limit), let text as String):
            text.utf16.count > limit ? NSValidationStringTooLongError : nil
        case (.pattern(let pattern), let text as String):
            NSPredicate(format: "SELF MATCHES %@", pattern).evaluate(with: text)
                ? nil : NSValidationStringPatternMatchingError
        default: nil
        }
    }

    private static func error(
        _ code: Int, _ property: NSPropertyDescription, _ object: NSManagedObject, _ value: Any?
    ) -> NSError {
        var info: [String: Any] = [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: property.name]
        if let value { info[NSValidationValueErrorKey] = value }
        let name = "'\(property.name)' of entity '\(object.entity.name ?? "")'"
        return CoreDataError.make(code, "\(name) \(text(code)).", userInfo: info)
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
        default: "does not match the pattern that the model asks for"
        }
    }
}
