import CoreDataGraph
import StoreContract
import Testing

@Suite struct UniqueValueTests {
    private func stack(_ constraints: [[String]], child: [[String]] = []) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("User", ["mail": .stringAttributeType, "number": .integer64AttributeType])
            .uniquenessConstraints = constraints
        builder.entity("Admin", in: "User", ["code": .doubleAttributeType]).uniquenessConstraints = child
        return try Stack(builder.model, kind: .inMemory)
    }

    private func error(_ stack: Stack) -> NSError? {
        do {
            try stack.context.save()
            return nil
        } catch { return error as NSError }
    }

    @Test("a value that must be unique and is there gives 133021, the store unchanged (STO-03, CTX-21)")
    func valueThatIsThereIsRefused() throws {
        let stack = try stack([["mail"]])
        stack.context.insert("User", ["mail": "a", "number": 1])
        try stack.context.save()
        stack.context.insert("User", ["mail": "b", "number": 2])
        stack.context.insert("User", ["mail": "a", "number": 3])
        let found = error(stack)
        let error = try #require(found)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == NSManagedObjectConstraintMergeError)
        #expect(error.localizedFailureReason?.contains("mail") == true)
        #expect(!error.localizedDescription.contains("'a'"))
        #expect(try stack.newContext().all("User").count == 1)
    }

    @Test func sameValueTwiceInOneSaveIsRefused() throws {
        let stack = try stack([["mail"]])
        for _ in 0..<2 { stack.context.insert("User", ["mail": "a"]) }
        #expect(error(stack)?.code == NSManagedObjectConstraintMergeError)
        #expect(try stack.newContext().all("User").isEmpty)
    }

    @Test func nilNeverCollides() throws {
        let stack = try stack([["mail", "number"]])
        for _ in 0..<3 { stack.context.insert("User", ["mail": "a"]) }
        #expect(error(stack) == nil)
        for _ in 0..<2 { stack.context.insert("User", ["mail": "a", "number": 1]) }
        #expect(error(stack)?.code == NSManagedObjectConstraintMergeError)
    }

    @Test func constraintOfParentHoldsOverTheHierarchy() throws {
        let stack = try stack([["mail"]], child: [["code"]])
        stack.context.insert("User", ["mail": "a"])
        stack.context.insert("Admin", ["mail": "b", "code": 0.0])
        #expect(error(stack) == nil)
        let admin = stack.context.insert("Admin", ["mail": "a", "code": 1.0])
        #expect(error(stack)?.code == NSManagedObjectConstraintMergeError)
        admin.setValue("c", forKey: "mail")
        admin.setValue(-0.0, forKey: "code")
        #expect(error(stack)?.code == NSManagedObjectConstraintMergeError)
        admin.setValue(2.0, forKey: "code")
        #expect(error(stack) == nil)
    }

    @Test func valuesThatAreGivenUpCanBeTakenInTheSameSave() throws {
        let stack = try stack([["mail"]])
        let first = stack.context.insert("User", ["mail": "a"])
        let second = stack.context.insert("User", ["mail": "b"])
        let third = stack.context.insert("User", ["mail": "c"])
        try stack.context.save()
        first.setValue("b", forKey: "mail")
        second.setValue("c", forKey: "mail")
        stack.context.delete(third)
        stack.context.insert("User", ["mail": "a"])
        #expect(error(stack) == nil)
        stack.context.insert("User", ["mail": "c"])
        #expect(error(stack)?.code == NSManagedObjectConstraintMergeError)
    }
}
