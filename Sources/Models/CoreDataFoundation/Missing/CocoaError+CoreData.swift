/// Core Data's errors as codes of `CocoaError`, named by Apple's rule: the constant without NS at the start and Error
/// at the end.
extension CocoaError.Code {
    /// A validation rule of a managed object is broken.
    public static var managedObjectValidation: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectValidationError)
    }
    /// A uniqueness constraint is broken.
    public static var managedObjectConstraintValidation: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectConstraintValidationError)
    }
    /// Several rules are broken; the errors are in `NSDetailedErrorsKey`.
    public static var validationMultipleErrors: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationMultipleErrorsError)
    }
    /// A property that must have a value is nil.
    public static var validationMissingMandatoryProperty: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationMissingMandatoryPropertyError)
    }
    /// A to-many relationship has too few objects.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationRelationshipLacksMinimumCountError)
    }
    /// A to-many relationship has too many objects.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationRelationshipExceedsMaximumCountError)
    }
    /// A relationship with the deny rule still has objects.
    public static var validationRelationshipDeniedDelete: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationRelationshipDeniedDeleteError)
    }
    /// A number is above its maximum.
    public static var validationNumberTooLarge: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationNumberTooLargeError)
    }
    /// A number is below its minimum.
    public static var validationNumberTooSmall: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationNumberTooSmallError)
    }
    /// A date is after the latest date that is allowed.
    public static var validationDateTooLate: CocoaError.Code { CocoaError.Code(rawValue: NSValidationDateTooLateError) }
    /// A date is before the earliest date that is allowed.
    public static var validationDateTooSoon: CocoaError.Code { CocoaError.Code(rawValue: NSValidationDateTooSoonError) }
    /// The value of a date attribute is not a valid date.
    public static var validationInvalidDate: CocoaError.Code { CocoaError.Code(rawValue: NSValidationInvalidDateError) }
    /// A string is too long.
    public static var validationStringTooLong: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationStringTooLongError)
    }
    /// A string is too short.
    public static var validationStringTooShort: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationStringTooShortError)
    }
    /// A string does not match its pattern.
    public static var validationStringPatternMatching: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationStringPatternMatchingError)
    }
    /// A URI is not valid.
    public static var validationInvalidURI: CocoaError.Code { CocoaError.Code(rawValue: NSValidationInvalidURIError) }
    /// A context could not be locked.
    public static var managedObjectContextLocking: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectContextLockingError)
    }
    /// A coordinator could not be locked.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreCoordinatorLockingError)
    }
    /// A fault points to an object that does not exist.
    public static var managedObjectReferentialIntegrity: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError)
    }
    /// An object has a relationship to an object of another store.
    public static var managedObjectExternalRelationship: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectExternalRelationshipError)
    }
    /// Objects could not be merged with the rows of the store.
    public static var managedObjectMerge: CocoaError.Code { CocoaError.Code(rawValue: NSManagedObjectMergeError) }
    /// Objects that break a uniqueness constraint could not be merged.
    public static var managedObjectConstraintMerge: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectConstraintMergeError)
    }
    /// The type of a store is not known.
    public static var persistentStoreInvalidType: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreInvalidTypeError)
    }
    /// A store is of another type than the requested one.
    public static var persistentStoreTypeMismatch: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreTypeMismatchError)
    }
    /// The schema of a store does not fit the model; for example, a table is missing.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreIncompatibleSchemaError)
    }
    /// A save did not finish.
    public static var persistentStoreSave: CocoaError.Code { CocoaError.Code(rawValue: NSPersistentStoreSaveError) }
    /// Several stores were saved and one of them failed.
    public static var persistentStoreIncompleteSave: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreIncompleteSaveError)
    }
    /// A save found conflicts that the merge policy does not resolve.
    public static var persistentStoreSaveConflicts: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreSaveConflictsError)
    }
    /// A general error of Core Data.
    public static var coreData: CocoaError.Code { CocoaError.Code(rawValue: NSCoreDataError) }
    /// An operation of a store failed.
    public static var persistentStoreOperation: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreOperationError)
    }
    /// A store could not be opened.
    public static var persistentStoreOpen: CocoaError.Code { CocoaError.Code(rawValue: NSPersistentStoreOpenError) }
    /// A store could not be reached in time.
    public static var persistentStoreTimeout: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreTimeoutError)
    }
    /// A store does not support a type of request.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
    }
    /// A store was made with another version of the model.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreIncompatibleVersionHashError)
    }
    /// A migration failed.
    public static var migration: CocoaError.Code { CocoaError.Code(rawValue: NSMigrationError) }
    /// A migration broke a uniqueness constraint.
    public static var migrationConstraintViolation: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationConstraintViolationError)
    }
    /// A migration was cancelled.
    public static var migrationCancelled: CocoaError.Code { CocoaError.Code(rawValue: NSMigrationCancelledError) }
    /// The model that a store was made with was not found.
    public static var migrationMissingSourceModel: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationMissingSourceModelError)
    }
    /// No mapping model was found for a migration.
    public static var migrationMissingMappingModel: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationMissingMappingModelError)
    }
    /// The source store of a migration is not usable.
    public static var migrationManagerSourceStore: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationManagerSourceStoreError)
    }
    /// The destination store of a migration is not usable.
    public static var migrationManagerDestinationStore: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationManagerDestinationStoreError)
    }
    /// A migration policy failed.
    public static var entityMigrationPolicy: CocoaError.Code { CocoaError.Code(rawValue: NSEntityMigrationPolicyError) }
    /// SQLite failed; its code is in the user info under `NSSQLiteErrorDomain`.
    public static var sqlite: CocoaError.Code { CocoaError.Code(rawValue: NSSQLiteError) }
    /// A mapping model could not be inferred.
    public static var inferredMappingModel: CocoaError.Code { CocoaError.Code(rawValue: NSInferredMappingModelError) }
    /// An external record could not be imported.
    public static var externalRecordImport: CocoaError.Code { CocoaError.Code(rawValue: NSExternalRecordImportError) }
    /// The history that a token points to has been removed.
    public static var persistentHistoryTokenExpired: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentHistoryTokenExpiredError)
    }
    /// A reference to a model could not be resolved.
    public static var managedObjectModelReferenceNotFound: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectModelReferenceNotFoundError)
    }
    /// A staged migration needs another version of the framework.
    public static var stagedMigrationFrameworkVersionMismatch: CocoaError.Code {
        CocoaError.Code(rawValue: NSStagedMigrationFrameworkVersionMismatchError)
    }
    /// A staged migration would lead to an older version of the model.
    public static var stagedMigrationBackwardMigration: CocoaError.Code {
        CocoaError.Code(rawValue: NSStagedMigrationBackwardMigrationError)
    }
}

/// Core Data's errors for use in `catch` patterns, such as `catch CocoaError.validationMissingMandatoryProperty`.
extension CocoaError {
    /// A validation rule of a managed object is broken.
    public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
    /// A uniqueness constraint is broken.
    public static var managedObjectConstraintValidation: CocoaError.Code { .managedObjectConstraintValidation }
    /// Several rules are broken; the errors are in `NSDetailedErrorsKey`.
    public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
    /// A property that must have a value is nil.
    public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
    /// A to-many relationship has too few objects.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        .validationRelationshipLacksMinimumCount
    }
    /// A to-many relationship has too many objects.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        .validationRelationshipExceedsMaximumCount
    }
    /// A relationship with the deny rule still has objects.
    public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
    /// A number is above its maximum.
    public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
    /// A number is below its minimum.
    public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
    /// A date is after the latest date that is allowed.
    public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
    /// A date is before the earliest date that is allowed.
    public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
    /// The value of a date attribute is not a valid date.
    public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
    /// A string is too long.
    public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
    /// A string is too short.
    public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
    /// A string does not match its pattern.
    public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
    /// A URI is not valid.
    public static var validationInvalidURI: CocoaError.Code { .validationInvalidURI }
    /// A context could not be locked.
    public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
    /// A coordinator could not be locked.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
    /// A fault points to an object that does not exist.
    public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
    /// An object has a relationship to an object of another store.
    public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
    /// Objects could not be merged with the rows of the store.
    public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
    /// Objects that break a uniqueness constraint could not be merged.
    public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
    /// The type of a store is not known.
    public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
    /// A store is of another type than the requested one.
    public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
    /// The schema of a store does not fit the model; for example, a table is missing.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
    /// A save did not finish.
    public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
    /// Several stores were saved and one of them failed.
    public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
    /// A save found conflicts that the merge policy does not resolve.
    public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
    /// A general error of Core Data.
    public static var coreData: CocoaError.Code { .coreData }
    /// An operation of a store failed.
    public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
    /// A store could not be opened.
    public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
    /// A store could not be reached in time.
    public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
    /// A store does not support a type of request.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
    /// A store was made with another version of the model.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        .persistentStoreIncompatibleVersionHash
    }
    /// A migration failed.
    public static var migration: CocoaError.Code { .migration }
    /// A migration broke a uniqueness constraint.
    public static var migrationConstraintViolation: CocoaError.Code { .migrationConstraintViolation }
    /// A migration was cancelled.
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
    /// The model that a store was made with was not found.
    public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
    /// No mapping model was found for a migration.
    public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
    /// The source store of a migration is not usable.
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
    /// The destination store of a migration is not usable.
    public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
    /// A migration policy failed.
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
    /// SQLite failed; its code is in the user info under `NSSQLiteErrorDomain`.
    public static var sqlite: CocoaError.Code { .sqlite }
    /// A mapping model could not be inferred.
    public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
    /// An external record could not be imported.
    public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
    /// The history that a token points to has been removed.
    public static var persistentHistoryTokenExpired: CocoaError.Code { .persistentHistoryTokenExpired }
    /// A reference to a model could not be resolved.
    public static var managedObjectModelReferenceNotFound: CocoaError.Code { .managedObjectModelReferenceNotFound }
    /// A staged migration needs another version of the framework.
    public static var stagedMigrationFrameworkVersionMismatch: CocoaError.Code {
        .stagedMigrationFrameworkVersionMismatch
    }
    /// A staged migration would lead to an older version of the model.
    public static var stagedMigrationBackwardMigration: CocoaError.Code { .stagedMigrationBackwardMigration }
}
