/// The key, in the user info of an error that combines several, of the list of these errors.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key of the object that broke a rule.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The key of the name of the property that broke a rule.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key of the rule that was broken, a predicate.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The key of the value that broke a rule.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The key of the stores that an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The key of the objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The key of the conflicts of a save, a list of `NSMergeConflict`.
public let NSPersistentStoreSaveConflictsErrorKey = "NSPersistentStoreSaveConflictsErrorKey"
/// The domain of SQLite's own codes, which is also the key of the code in an error's user info.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
