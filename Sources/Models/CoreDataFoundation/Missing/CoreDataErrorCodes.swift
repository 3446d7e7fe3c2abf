/// A validation rule of a managed object is broken.
public let NSManagedObjectValidationError = 1550
/// A uniqueness constraint is broken.
public let NSManagedObjectConstraintValidationError = 1551
/// Several rules are broken; the errors are in `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// A property that must have a value is nil.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A to-many relationship has too few objects.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A to-many relationship has too many objects.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A relationship with the deny rule still has objects.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is above its maximum.
public let NSValidationNumberTooLargeError = 1610
/// A number is below its minimum.
public let NSValidationNumberTooSmallError = 1620
/// A date is after the latest date that is allowed.
public let NSValidationDateTooLateError = 1630
/// A date is before the earliest date that is allowed.
public let NSValidationDateTooSoonError = 1640
/// The value of a date attribute is not a valid date.
public let NSValidationInvalidDateError = 1650
/// A string is too long.
public let NSValidationStringTooLongError = 1660
/// A string is too short.
public let NSValidationStringTooShortError = 1670
/// A string does not match its pattern.
public let NSValidationStringPatternMatchingError = 1680
/// A URI is not valid.
public let NSValidationInvalidURIError = 1690
/// A context could not be locked.
public let NSManagedObjectContextLockingError = 132000
/// A coordinator could not be locked.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// A fault points to an object that does not exist.
public let NSManagedObjectReferentialIntegrityError = 133000
/// An object has a relationship to an object of another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// Objects could not be merged with the rows of the store.
public let NSManagedObjectMergeError = 133020
/// Objects that break a uniqueness constraint could not be merged.
public let NSManagedObjectConstraintMergeError = 133021
/// The type of a store is not known.
public let NSPersistentStoreInvalidTypeError = 134000
/// A store is of another type than the requested one.
public let NSPersistentStoreTypeMismatchError = 134010
/// The schema of a store does not fit the model; for example, a table is missing.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// A save did not finish.
public let NSPersistentStoreSaveError = 134030
/// Several stores were saved and one of them failed.
public let NSPersistentStoreIncompleteSaveError = 134040
/// A save found conflicts that the merge policy does not resolve.
public let NSPersistentStoreSaveConflictsError = 134050
/// A general error of Core Data.
public let NSCoreDataError = 134060
/// An operation of a store failed.
public let NSPersistentStoreOperationError = 134070
/// A store could not be opened.
public let NSPersistentStoreOpenError = 134080
/// A store could not be reached in time.
public let NSPersistentStoreTimeoutError = 134090
/// A store does not support a type of request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// A store was made with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// A migration failed.
public let NSMigrationError = 134110
/// A migration broke a uniqueness constraint.
public let NSMigrationConstraintViolationError = 134111
/// A migration was cancelled.
public let NSMigrationCancelledError = 134120
/// The model that a store was made with was not found.
public let NSMigrationMissingSourceModelError = 134130
/// No mapping model was found for a migration.
public let NSMigrationMissingMappingModelError = 134140
/// The source store of a migration is not usable.
public let NSMigrationManagerSourceStoreError = 134150
/// The destination store of a migration is not usable.
public let NSMigrationManagerDestinationStoreError = 134160
/// A migration policy failed.
public let NSEntityMigrationPolicyError = 134170
/// SQLite failed; its code is in the user info under `NSSQLiteErrorDomain`.
public let NSSQLiteError = 134180
/// A mapping model could not be inferred.
public let NSInferredMappingModelError = 134190
/// An external record could not be imported.
public let NSExternalRecordImportError = 134200
/// The history that a token points to has been removed.
public let NSPersistentHistoryTokenExpiredError = 134301
/// A reference to a model could not be resolved.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// A staged migration needs another version of the framework.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// A staged migration would lead to an older version of the model.
public let NSStagedMigrationBackwardMigrationError = 134506
