extension ErrorCatalog {
    /// Errors of validation rules, which a save or `validateValue(_:forKey:)` checks.
    static let validation = [
        ErrorEntry(
            1550, name: "NSManagedObjectValidationError",
            meaning: "An object or a value breaks a rule that has no code of its own.",
            causes: [
                "a predicate of the model over several properties (`validationPredicate` in the entity's user info)",
                "a validation predicate of an attribute with a text for its warning",
                "a value of another type than the attribute's",
                "a rule of a class that corrects a property which cannot be set",
            ],
            cures: ["The failure reason says the rule and the value: give values that keep it."]),
        ErrorEntry(
            1551, name: "NSManagedObjectConstraintValidationError",
            meaning: "A validation predicate of the model says that another object has the value.",
            causes: ["a model that gives one of its validation predicates this code"],
            cures: [
                "Give a value that no other object has. What the store itself finds twice is 133021."
            ]),
        ErrorEntry(
            1560, name: "NSValidationMultipleErrorsError", meaning: "Several rules are broken.",
            causes: ["a save of objects with more than one mistake, or `setValues(_:)` with several bad keys"],
            cures: ["Look at each error in the user info's `NSDetailedErrorsKey`: it has object, key and code."]),
        ErrorEntry(
            1570, name: "NSValidationMissingMandatoryPropertyError", meaning: "A required property has no value.",
            causes: [
                "an object that was inserted and not filled in",
                "a deletion whose rule *Nullify* empties a required relationship of another object",
            ],
            cures: [
                "Give the value, or a default value in the model.",
                "Let the deletion cascade, or make the relationship optional.",
            ]),
        ErrorEntry(
            1580, name: "NSValidationRelationshipLacksMinimumCountError",
            meaning: "A to-many relationship has fewer objects than the model asks for.",
            causes: ["objects that were taken out or deleted, or never put in"],
            cures: ["Add objects to the relationship, or lower its minimum in a new version of the model."]),
        ErrorEntry(
            1590, name: "NSValidationRelationshipExceedsMaximumCountError",
            meaning: "A to-many relationship has more objects than the model allows.",
            causes: ["objects that were added on this side, or came by the inverse of the relationship"],
            cures: ["Take objects out of the relationship."]),
        ErrorEntry(
            1600, name: "NSValidationRelationshipDeniedDeleteError",
            meaning: "An object cannot be deleted, since a relationship with the delete rule *Deny* still has objects.",
            causes: ["a deletion, a cascade that comes there, or a batch deletion"],
            cures: ["Delete what the relationship leads to first, or lead it elsewhere."]),
        ErrorEntry(
            1610, name: "NSValidationNumberTooLargeError",
            meaning: "A number is greater than the model or its type allows.",
            causes: ["a maximum in the model", "a value beyond the range of an integer of 16, 32 or 64 bits"],
            cures: ["Give a smaller number, or a wider type in a new version of the model."]),
        ErrorEntry(
            1620, name: "NSValidationNumberTooSmallError",
            meaning: "A number is smaller than the model or its type allows.",
            causes: ["a minimum in the model", "a value below the range of an integer of 16, 32 or 64 bits"],
            cures: ["Give a greater number, or a wider type in a new version of the model."]),
        ErrorEntry(
            1630, name: "NSValidationDateTooLateError", meaning: "A date is later than the model allows.",
            causes: ["a latest date in the model"], cures: ["Give an earlier date."]),
        ErrorEntry(
            1640, name: "NSValidationDateTooSoonError", meaning: "A date is earlier than the model allows.",
            causes: ["an earliest date in the model"], cures: ["Give a later date."]),
        ErrorEntry(
            1650, name: "NSValidationInvalidDateError", meaning: "A value is not a date.",
            causes: ["a value of another type that was set by key or given to `validateValue(_:forKey:)`"],
            cures: ["Give a `Date`."]),
        ErrorEntry(
            1660, name: "NSValidationStringTooLongError", meaning: "A text is longer than the model allows.",
            causes: ["a greatest length in the model, counted as UTF-16"], cures: ["Give a shorter text."]),
        ErrorEntry(
            1670, name: "NSValidationStringTooShortError", meaning: "A text is shorter than the model allows.",
            causes: ["a least length in the model; an empty text where something is to be typed in"],
            cures: ["Give a longer text."]),
        ErrorEntry(
            1680, name: "NSValidationStringPatternMatchingError", meaning: "A text does not match the model's pattern.",
            causes: ["a regular expression in the model, which the whole text has to match"],
            cures: ["Give a text of that form; `coredata fetch … --where 'key MATCHES \"…\"'` tries a pattern."]),
        ErrorEntry(
            1690, name: "NSValidationInvalidURIError", meaning: "A value is not a URI.",
            causes: ["a value of another type for an attribute of type URI"], cures: ["Give a `URL`."]),
    ]
}
