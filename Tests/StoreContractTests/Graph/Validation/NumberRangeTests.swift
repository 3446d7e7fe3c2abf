import CoreData
import StoreContract
import Testing

/// Numbers beyond the range of their attributes: kept when they are set, and refused by validation.
@Suite struct NumberRangeTests {
    private static let numbers: [(key: String, value: NSNumber, code: Int)] = [
        ("int16", 32_768, NSValidationNumberTooLargeError), ("int16", -32_769, NSValidationNumberTooSmallError),
        ("int32", 2_147_483_648, NSValidationNumberTooLargeError),
        ("int32", NSNumber(value: Int64.min), NSValidationNumberTooSmallError),
        ("int64", NSNumber(value: 1e19), NSValidationNumberTooLargeError),
        ("int64", NSNumber(value: -1e300), NSValidationNumberTooSmallError),
        ("int64", NSNumber(value: UInt64.max), NSValidationNumberTooLargeError),
        ("int32", NSNumber(value: Double.nan), NSValidationNumberTooLargeError),
        ("int16", NSNumber(value: -Double.infinity), NSValidationNumberTooSmallError),
        ("decimal", NSNumber(value: Double.infinity), NSValidationNumberTooLargeError),
    ]

    @Test(
        "a number beyond the range is kept, refused by the save, and forgotten when it is replaced (MOD-14, VAL-17)",
        arguments: StoreKind.all, numbers)
    func numberIsRefusedByTheSave(kind: StoreKind, number: (key: String, value: NSNumber, code: Int)) throws {
        let stack = try Stack(SampleModel.make(), kind: kind)
        let object = stack.context.insert("Sample", [number.key: number.value])
        let kept = try #require(object.value(forKey: number.key) as? NSNumber)
        #expect(kept == number.value || number.value.doubleValue.isNaN && kept.doubleValue.isNaN)
        #expect(object.changedValues()[number.key] != nil)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == number.code)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == number.key)
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === object)
        object.setValue(5, forKey: number.key)
        try stack.context.save()
        let saved = try stack.reopened().context.all("Sample")
        #expect(saved.map { $0.value(forKey: number.key) as? Int } == [5])
    }

    @Test("a typed accessor of a wider type gives back what it was given (MOD-14)", arguments: StoreKind.all)
    func typedAccessorKeepsNumber(kind: StoreKind) throws {
        let stack = try Stack(SampleModel.make(), kind: kind)
        let sample = Sample(context: stack.context)
        sample.wrongInt = 32_768
        #expect(sample.wrongInt == 32_768 && sample.value(forKey: "int16") as? Int == 32_768)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationNumberTooLargeError)
        stack.context.rollback()
        try stack.context.save()
    }

    @Test("a saved object that is given such a number keeps its record (VAL-15)", arguments: StoreKind.all)
    func updateIsRefused(kind: StoreKind) throws {
        let stack = try Stack(SampleModel.make(), kind: kind)
        let object = stack.context.insert("Sample", ["int16": 3, "int32": 4])
        try stack.context.save()
        object.setValue(70_000, forKey: "int16")
        object.setValue(5_000_000_000, forKey: "int32")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationMultipleErrorsError)
        let codes = (error?.userInfo[NSDetailedErrorsKey] as? [NSError])?.map(\.code)
        #expect(codes == [NSValidationNumberTooLargeError, NSValidationNumberTooLargeError])
        stack.context.refresh(object, mergeChanges: false)
        #expect(object.value(forKey: "int16") as? Int == 3 && !stack.context.hasChanges)
    }

    @Test("a primitive value, an undone one and a child's are refused as well (MOD-14)", arguments: StoreKind.all)
    func otherWaysAreRefused(kind: StoreKind) throws {
        let stack = try Stack(SampleModel.make(), kind: kind)
        let object = stack.context.insert("Sample")
        object.setPrimitiveValue(70_000, forKey: "int16")
        #expect(throws: NSError.self) { try stack.context.save() }
        object.setPrimitiveValue(7, forKey: "int16")
        try stack.context.save()
        let manager = UndoManager()
        stack.context.undoManager = manager
        object.setValue(70_000, forKey: "int16")
        stack.context.processPendingChanges()
        stack.context.undo()
        #expect(object.value(forKey: "int16") as? Int == 7)
        stack.context.redo()
        #expect(object.value(forKey: "int16") as? Int == 70_000)
        #expect(throws: NSError.self) { try stack.context.save() }
        stack.context.rollback()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        child.insert("Sample", ["int32": NSNumber(value: UInt32.max)])
        #expect(throws: NSError.self) { try child.save() }
        #expect(!stack.context.hasChanges)
    }

    @Test("a class that leaves the rules out does not get such a number written (MOD-14)", arguments: StoreKind.all)
    func classWithoutRules(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Careless", class: "StoreContractTests.Careless", ["number": .integer16AttributeType])
        let stack = try Stack(builder.model, kind: kind)
        stack.context.insert("Careless", ["number": 70_000])
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationNumberTooLargeError)
        #expect(try stack.newContext().all("Careless").isEmpty)
    }

    @Test("a proposed number beyond the range gives the error that a save gives (VAL-10)")
    func proposedNumber() throws {
        let object = try Stack(SampleModel.make(), kind: .inMemory).context.insert("Sample")
        var value: Any? = 70_000
        let error = #expect(throws: NSError.self) { try object.validateValue(&value, forKey: "int16") }
        #expect(error?.code == NSValidationNumberTooLargeError && object.value(forKey: "int16") == nil)
    }
}

final class Careless: NSManagedObject {
    override func validateForInsert() throws {}
}
