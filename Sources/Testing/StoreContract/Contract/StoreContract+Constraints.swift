import CoreDataGraph
import Testing

extension StoreContract {
    static let constraints = [
        Clause(
            "CTX-21: a value that must be unique and is there gives 133021, the store unchanged", needs: .uniqueValues,
            valueIsThere),
        Clause("a value that must be unique cannot come twice in one save", needs: .uniqueValues, valueTwiceInOneSave),
        Clause("a value of a deleted object can be taken in the same save", needs: .uniqueValues, valueOfDeletedObject),
        Clause("a change to a value that is there is refused", needs: .uniqueValues, changedToValueThatIsThere),
        Clause("nil is no value: it may be there many times", needs: .uniqueValues, nilManyTimes),
        Clause("values that are unique together may be there apart", needs: .uniqueValues, uniqueTogether),
        Clause("CTX-21: error 133021 names the record that has the value", needs: .uniqueValues, conflictWithRecord),
        Clause(
            "CTX-21: error 133021 names inserted objects that are in each other's way", needs: .uniqueValues,
            conflictOfInserted),
        Clause("CTX-21: error 133021 lists every broken constraint", needs: .uniqueValues, everyConstraintIsListed),
        Clause(
            "CTX-21: a constraint of a parent entity holds for its sub-entities, and error 133021 names it",
            needs: .uniqueValues, inheritedConstraint),
    ]

    private static func users(_ store: ContractStore, _ constraint: [String] = ["mail"]) throws -> Stack {
        let builder = ModelBuilder()
        let entity = builder.entity("User", ["mail": .stringAttributeType, "place": .integer32AttributeType])
        entity.uniquenessConstraints = [constraint]
        return try store.open(builder.model)
    }

    private static func mails(_ stack: Stack) throws -> [String] { try stack.reopened().context.texts("User", "mail") }

    @Sendable private static func valueIsThere(_ store: ContractStore) throws {
        let stack = try users(store)
        stack.context.insert("User", ["mail": "a"])
        try stack.context.save()
        let double = stack.context.insert("User", ["mail": "a"])
        let single = stack.context.insert("User", ["mail": "b"])
        try #require(errorCode { try stack.context.save() } == NSManagedObjectConstraintMergeError)
        #expect(try stack.newContext().texts("User", "mail") == ["a"])
        #expect(double.isInserted && single.isInserted)
        double.setValue("c", forKey: "mail")
        try stack.context.save()
        #expect(try mails(stack) == ["a", "b", "c"])
    }

    @Sendable private static func valueTwiceInOneSave(_ store: ContractStore) throws {
        let stack = try users(store)
        let users = ["a", "a", "b"].map { stack.context.insert("User", ["mail": $0]) }
        try #require(errorCode { try stack.context.save() } == NSManagedObjectConstraintMergeError)
        #expect(try stack.newContext().all("User").isEmpty)
        stack.context.delete(users[1])
        try stack.context.save()
        #expect(try mails(stack) == ["a", "b"])
    }

    @Sendable private static func valueOfDeletedObject(_ store: ContractStore) throws {
        let stack = try users(store)
        let old = stack.context.insert("User", ["mail": "a"])
        try stack.context.save()
        stack.context.delete(old)
        stack.context.insert("User", ["mail": "a", "place": 2])
        try stack.context.save()
        #expect(try stack.reopened().context.texts("User", "place") == ["2"])
    }

    @Sendable private static func changedToValueThatIsThere(_ store: ContractStore) throws {
        let stack = try users(store)
        let users = ["a", "b"].map { stack.context.insert("User", ["mail": $0]) }
        try stack.context.save()
        users[1].setValue("a", forKey: "mail")
        try #require(errorCode { try stack.context.save() } == NSManagedObjectConstraintMergeError)
        #expect(users[1].isUpdated)
        #expect(try stack.newContext().texts("User", "mail") == ["a", "b"])
        users[1].setValue("c", forKey: "mail")
        try stack.context.save()
        #expect(try mails(stack) == ["a", "c"])
    }

    @Sendable private static func nilManyTimes(_ store: ContractStore) throws {
        let stack = try users(store)
        for _ in 0..<3 { stack.context.insert("User") }
        try stack.context.save()
        #expect(try mails(stack) == ["nil", "nil", "nil"])
    }

    private static func constraintConflicts(_ stack: Stack) throws -> [NSConstraintConflict] {
        let error = try #require(throws: NSError.self) { try stack.context.save() }
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError)
        return try #require(error.userInfo["conflictList"] as? [NSConstraintConflict])
    }

    @Sendable private static func conflictWithRecord(_ store: ContractStore) throws {
        let stack = try users(store)
        let owner = stack.context.insert("User", ["mail": "a", "place": 7])
        let changed = stack.context.insert("User", ["mail": "b", "place": 8])
        try stack.context.save()
        changed.setValue("a", forKey: "mail")
        let inserted = stack.context.insert("User", ["mail": "a"])
        let conflicts = try constraintConflicts(stack)
        try #require(conflicts.count == 1)
        #expect(conflicts[0].constraint == ["mail"])
        #expect(conflicts[0].constraintValues["mail"] as? String == "a")
        #expect(conflicts[0].databaseObject === owner)
        #expect(conflicts[0].databaseSnapshot?["place"] as? Int == 7)
        #expect(Set(conflicts[0].conflictingObjects) == [changed, inserted])
        #expect(Set(conflicts[0].conflictingSnapshots.map { $0["place"] as? Int }) == [8, nil])
    }

    @Sendable private static func conflictOfInserted(_ store: ContractStore) throws {
        let stack = try users(store)
        let rivals = Set((0..<3).map { _ in stack.context.insert("User", ["mail": "a"]) })
        stack.context.insert("User", ["mail": "b"])
        let conflicts = try constraintConflicts(stack)
        try #require(conflicts.count == 1)
        #expect(conflicts[0].databaseObject == nil && conflicts[0].databaseSnapshot == nil)
        #expect(Set(conflicts[0].conflictingObjects) == rivals)
    }

    @Sendable private static func everyConstraintIsListed(_ store: ContractStore) throws {
        let builder = ModelBuilder()
        let entity = builder.entity("User", ["mail": .stringAttributeType, "place": .integer32AttributeType])
        entity.uniquenessConstraints = [["mail"], ["place"]]
        let stack = try store.open(builder.model)
        let owner = stack.context.insert("User", ["mail": "a", "place": 1])
        let other = stack.context.insert("User", ["mail": "b"])
        try stack.context.save()
        let rivals = [["mail": "a", "place": 1], ["mail": "b"]].map { stack.context.insert("User", $0) }
        let conflicts = try constraintConflicts(stack)
        #expect(conflicts.map(\.constraint) == [["mail"], ["place"], ["mail"]])
        #expect(conflicts.map(\.databaseObject) == [owner, owner, other])
        #expect(conflicts.map(\.conflictingObjects) == [[rivals[0]], [rivals[0]], [rivals[1]]])
    }

    @Sendable private static func inheritedConstraint(_ store: ContractStore) throws {
        let builder = ModelBuilder()
        builder.entity("User", ["mail": .stringAttributeType]).uniquenessConstraints = [["mail"]]
        builder.entity("Admin", in: "User", ["rank": .integer32AttributeType]).uniquenessConstraints = [["rank"]]
        let stack = try store.open(builder.model)
        let owner = stack.context.insert("User", ["mail": "a"])
        let chief = stack.context.insert("Admin", ["mail": "b", "rank": 1])
        try stack.context.save()
        let rival = stack.context.insert("Admin", ["mail": "a", "rank": 1])
        let conflicts = try constraintConflicts(stack)
        #expect(Set(conflicts.map(\.constraint)) == [["mail"], ["rank"]])
        #expect(Set(conflicts.map(\.databaseObject)) == [owner, chief])
        #expect(conflicts.allSatisfy { $0.conflictingObjects == [rival] })
    }

    @Sendable private static func uniqueTogether(_ store: ContractStore) throws {
        let stack = try users(store, ["mail", "place"])
        stack.context.insert("User", ["mail": "a", "place": 1])
        stack.context.insert("User", ["mail": "a", "place": 2])
        stack.context.insert("User", ["mail": "b", "place": 1])
        try stack.context.save()
        stack.context.insert("User", ["mail": "b", "place": 1])
        try #require(errorCode { try stack.context.save() } == NSManagedObjectConstraintMergeError)
        #expect(try mails(stack) == ["a", "a", "b"])
    }
}
