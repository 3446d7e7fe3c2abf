import CoreDataFoundation
import Testing

/// The numbers of Core Data's errors, which programs compare and stores' tools print.
struct ErrorCodeTests {
    @Test("Each constant has Apple's number, and a code of Cocoa's errors by its name")
    func eachConstantHasApplesNumber() {
        let numbers: [(Int, Int, CocoaError.Code)] = [
            (NSManagedObjectValidationError, 1550, .managedObjectValidation),
            (NSManagedObjectConstraintValidationError, 1551, .managedObjectConstraintValidation),
            (NSValidationMultipleErrorsError, 1560, .validationMultipleErrors),
            (NSValidationMissingMandatoryPropertyError, 1570, .validationMissingMandatoryProperty),
            (NSValidationRelationshipLacksMinimumCountError, 1580, .validationRelationshipLacksMinimumCount),
            (NSValidationRelationshipExceedsMaximumCountError, 1590, .validationRelationshipExceedsMaximumCount),
            (NSValidationRelationshipDeniedDeleteError, 1600, .validationRelationshipDeniedDelete),
            (NSValidationNumberTooLargeError, 1610, .validationNumberTooLarge),
            (NSValidationNumberTooSmallError, 1620, .validationNumberTooSmall),
            (NSValidationDateTooLateError, 1630, .validationDateTooLate),
            (NSValidationDateTooSoonError, 1640, .validationDateTooSoon),
            (NSValidationInvalidDateError, 1650, .validationInvalidDate),
            (NSValidationStringTooLongError, 1660, .validationStringTooLong),
            (NSValidationStringTooShortError, 1670, .validationStringTooShort),
            (NSValidationStringPatternMatchingError, 1680, .validationStringPatternMatching),
            (NSManagedObjectContextLockingError, 132_000, .managedObjectContextLocking),
            (NSPersistentStoreCoordinatorLockingError, 132_010, .persistentStoreCoordinatorLocking),
            (NSManagedObjectReferentialIntegrityError, 133_000, .managedObjectReferentialIntegrity),
            (NSManagedObjectExternalRelationshipError, 133_010, .managedObjectExternalRelationship),
            (NSManagedObjectMergeError, 133_020, .managedObjectMerge),
            (NSPersistentStoreInvalidTypeError, 134_000, .persistentStoreInvalidType),
            (NSPersistentStoreTypeMismatchError, 134_010, .persistentStoreTypeMismatch),
            (NSPersistentStoreIncompatibleSchemaError, 134_020, .persistentStoreIncompatibleSchema),
            (NSPersistentStoreSaveError, 134_030, .persistentStoreSave),
            (NSPersistentStoreIncompleteSaveError, 134_040, .persistentStoreIncompleteSave),
            (NSPersistentStoreSaveConflictsError, 134_050, .persistentStoreSaveConflicts),
            (NSPersistentStoreOperationError, 134_070, .persistentStoreOperation),
            (NSPersistentStoreOpenError, 134_080, .persistentStoreOpen),
            (NSPersistentStoreTimeoutError, 134_090, .persistentStoreTimeout),
            (NSPersistentStoreUnsupportedRequestTypeError, 134_091, .persistentStoreUnsupportedRequestType),
            (NSPersistentStoreIncompatibleVersionHashError, 134_100, .persistentStoreIncompatibleVersionHash),
            (NSMigrationError, 134_110, .migration),
            (NSMigrationCancelledError, 134_120, .migrationCancelled),
            (NSMigrationMissingSourceModelError, 134_130, .migrationMissingSourceModel),
            (NSMigrationMissingMappingModelError, 134_140, .migrationMissingMappingModel),
            (NSMigrationManagerSourceStoreError, 134_150, .migrationManagerSourceStore),
            (NSMigrationManagerDestinationStoreError, 134_160, .migrationManagerDestinationStore),
            (NSEntityMigrationPolicyError, 134_170, .entityMigrationPolicy),
            (NSSQLiteError, 134_180, .sqlite),
            (NSInferredMappingModelError, 134_190, .inferredMappingModel),
            (NSExternalRecordImportError, 134_200, .externalRecordImport),
        ]
        for (constant, number, code) in numbers {
            #expect(constant == number && code.rawValue == number)
        }
        #expect(NSValidationInvalidURIError == 1690 && NSCoreDataError == 134_060)
        #expect(NSManagedObjectConstraintMergeError == 133_021 && NSMigrationConstraintViolationError == 134_111)
        #expect(NSPersistentHistoryTokenExpiredError == 134_301)
        #expect(NSManagedObjectModelReferenceNotFoundError == 134_504)
        #expect(NSStagedMigrationFrameworkVersionMismatchError == 134_505)
        #expect(NSStagedMigrationBackwardMigrationError == 134_506)
        #expect(NSAffectedObjectsErrorKey == "NSAffectedObjectsErrorKey")
        #expect(NSPersistentStoreSaveConflictsErrorKey == "NSPersistentStoreSaveConflictsErrorKey")
        #expect(NSSQLiteErrorDomain == "NSSQLiteErrorDomain")
    }
}
