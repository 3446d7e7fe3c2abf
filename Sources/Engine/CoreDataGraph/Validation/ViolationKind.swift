import CoreDataStore

/// The kinds of broken rules, with their error codes and texts.
enum ViolationKind: CaseIterable {
    case other, constraint, missing, tooFew, tooMany, deniedDelete, numberTooLarge, numberTooSmall, dateTooLate
    case dateTooSoon, invalidDate, textTooLong, textTooShort, pattern, invalidURI

    /// Finds the kind with an error code; `other` for a code that only the model defines.
    init(code: Int) { self = Self.allCases.first { $0.code == code } ?? .other }

    var code: Int {
        switch self {
        case .other: NSManagedObjectValidationError
        case .constraint: NSManagedObjectConstraintValidationError
        case .missing: NSValidationMissingMandatoryPropertyError
        case .tooFew: NSValidationRelationshipLacksMinimumCountError
        case .tooMany: NSValidationRelationshipExceedsMaximumCountError
        case .deniedDelete: NSValidationRelationshipDeniedDeleteError
        case .numberTooLarge: NSValidationNumberTooLargeError
        case .numberTooSmall: NSValidationNumberTooSmallError
        case .dateTooLate: NSValidationDateTooLateError
        case .dateTooSoon: NSValidationDateTooSoonError
        case .invalidDate: NSValidationInvalidDateError
        case .textTooLong: NSValidationStringTooLongError
        case .textTooShort: NSValidationStringTooShortError
        case .pattern: NSValidationStringPatternMatchingError
        case .invalidURI: NSValidationInvalidURIError
        }
    }

    /// The failure as a phrase after the property's name; also the key of its translation in a model.
    var phrase: String {
        switch self {
        case .other: "breaks a rule of the model"
        case .constraint: "has a value that another object has"
        case .missing: "is required and has no value"
        case .tooFew: "has fewer objects than the model asks for"
        case .tooMany: "has more objects than the model allows"
        case .deniedDelete: "still has objects"
        case .numberTooLarge: "is greater than the model allows"
        case .numberTooSmall: "is smaller than the model allows"
        case .dateTooLate: "is later than the model allows"
        case .dateTooSoon: "is earlier than the model allows"
        case .invalidDate: "is not a date"
        case .textTooLong: "is longer than the model allows"
        case .textTooShort: "is shorter than the model allows"
        case .pattern: "does not match the pattern that the model asks for"
        case .invalidURI: "is not a URI"
        }
    }

    /// Whether the rule is a limit or a pattern, which the error's description contains.
    var isOfLimit: Bool {
        switch self {
        case .tooFew, .tooMany, .numberTooLarge, .numberTooSmall, .dateTooLate, .dateTooSoon, .textTooLong,
            .textTooShort, .pattern:
            true
        case .other, .constraint, .missing, .deniedDelete, .invalidDate, .invalidURI: false
        }
    }

    /// The recovery suggestion.
    func suggestion(_ name: String, _ rule: String) -> String {
        switch self {
        case .missing: "Give '\(name)' a value."
        case .tooFew: "Add objects to '\(name)': \(rule)."
        case .tooMany: "Take objects out of '\(name)': \(rule)."
        case .deniedDelete: "Delete what '\(name)' leads to first, or lead it elsewhere."
        case .constraint: "Give '\(name)' a value that no other object has."
        default: "Give '\(name)' a value that keeps the rule: \(rule)."
        }
    }
}
