import CoreDataFoundation
import Testing

struct MissingTests {
    @Test("codes are Apple's and the same in both forms (VAL-18)")
    func errorCodes() {
        #expect(NSManagedObjectValidationError == 1550 && CocoaError.Code.managedObjectValidation.rawValue == 1550)
        #expect(CocoaError.Code.validationMissingMandatoryProperty.rawValue == 1570)
        #expect(CocoaError.Code.persistentStoreIncompatibleVersionHash.rawValue == 134100)
        #expect(CocoaError.Code.managedObjectMerge.rawValue == 133020)
        #expect(CocoaError.Code.sqlite.rawValue == NSSQLiteError && CocoaError.Code.coreData.rawValue == 134060)
        let error = NSError(domain: NSCocoaErrorDomain, code: NSValidationStringTooShortError)
        #expect((error as? CocoaError)?.code == .validationStringTooShort)
        do { throw error } catch CocoaError.validationStringTooShort {} catch { Issue.record("not caught by its code") }
    }

    @Test("keys have Apple's values (VAL-16, VAL-17)")
    func errorKeys() {
        #expect(NSDetailedErrorsKey == "NSDetailedErrors")
        #expect(NSValidationObjectErrorKey == "NSValidationErrorObject")
        #expect(NSValidationKeyErrorKey == "NSValidationErrorKey")
        #expect(NSValidationPredicateErrorKey == "NSValidationErrorPredicate")
        #expect(NSValidationValueErrorKey == "NSValidationErrorValue")
    }

    @Test func indexPathsHaveSectionsAndRows() {
        var path = IndexPath(row: 3, section: 1)
        #expect(path.row == 3 && path.item == 3 && path.section == 1)
        #expect(path == IndexPath(item: 3, section: 1) && path == IndexPath(indexes: [1, 3]))
        path.row = 5
        path.section = 2
        #expect(path == IndexPath(indexes: [2, 5]))
    }

    @Test func autoreleasepoolHandsOn() throws {
        #expect(autoreleasepool { 5 } == 5)
        #expect(throws: CancellationError.self) { try autoreleasepool { throw CancellationError() } }
    }

    @Test func autoreleasingPointerReadsAndWrites() {
        var value: Any? = 1
        withUnsafeMutablePointer(to: &value) { AutoreleasingUnsafeMutablePointer($0).pointee = "new" }
        #expect(value as? String == "new")
    }
}
