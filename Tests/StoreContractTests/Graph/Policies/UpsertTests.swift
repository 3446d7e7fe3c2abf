import CoreData
import StoreContract
import Testing

/// Conflicts of values that must be unique, by policy: upserts above all.
@Suite struct UpsertTests {
    private static let all: [NSMergePolicy] = [
        .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]

    private static func stack(_ kind: StoreKind, _ policy: NSMergePolicy) throws -> Stack {
        let builder = ModelBuilder()
        let text = NSAttributeType.stringAttributeType
        builder.entity("User", ["mail": text, "name": text, "place": text, "number": .integer32AttributeType])
        builder.entity("Admin", in: "User", ["rank": text])
        builder.entity("Post", ["title": text])
        builder.entity("Group", ["title": text])
        builder.attribute("User.place").defaultValue = "Nowhere"
        builder.relationships("User.posts*", "Post.author")
        builder.relationships("Group.users*", "User.group")
        builder["User"].uniquenessConstraints = [["mail"], ["name", "number"]]
        let stack = try Stack(builder.model, kind: kind)
        stack.context.mergePolicy = policy
        return stack
    }

    private static func users(_ stack: Stack) throws -> [[String]] {
        try stack.newContext().all("User", sortedBy: "mail", "name").map { user in
            ["mail", "name", "place"].map { user.value(forKey: $0) as? String ?? "nil" }
        }
    }

    private static func titles(_ user: NSManagedObject) -> [String] {
        (user.value(forKey: "posts") as? Set<NSManagedObject> ?? []).compactMap { $0.value(forKey: "title") as? String }
            .sorted()
    }

    @Test("a new object against a record, by policy (CTX-22 to CTX-25)", arguments: StoreKind.all, all)
    func newAgainstRecord(kind: StoreKind, policy: NSMergePolicy) throws {
        let stack = try Self.stack(kind, policy)
        let context = stack.context
        let groups = ["old", "new"].map { context.insert("Group", ["title": $0]) }
        let record = context.insert("User", ["mail": "a", "name": "Ann", "place": "Here", "group": groups[0]])
        context.insert("Post", ["title": "stored", "author": record])
        try context.save()
        let new = context.insert("User", ["mail": "a", "name": "Anne", "group": groups[1]])
        let post = context.insert("Post", ["title": "added", "author": new])
        try context.save()
        let (name, place, group) =
            switch policy.mergeType {
            case .mergeByPropertyObjectTrumpMergePolicyType: ("Anne", "Here", "new")
            case .overwriteMergePolicyType: ("Anne", "Nowhere", "new")
            default: ("Ann", "Here", "old")
            }
        #expect(try Self.users(stack) == [["a", name, place]])
        #expect(record.value(forKey: "name") as? String == name && new.managedObjectContext == nil)
        #expect((record.value(forKey: "group") as? NSManagedObject)?.value(forKey: "title") as? String == group)
        let isReleased = policy.mergeType == .rollbackMergePolicyType
        #expect(Self.titles(record) == (isReleased ? ["stored"] : ["added", "stored"]))
        #expect(post.value(forKey: "author") as? NSManagedObject === (isReleased ? nil : record))
        let reader = stack.newContext()
        #expect(Self.titles(try reader.existingObject(with: record.objectID)) == Self.titles(record))
        #expect(!context.hasChanges && context.registeredObjects.contains(record))
    }

    @Test("A changed object against a record, by policy", arguments: StoreKind.all, all)
    func changedAgainstRecord(kind: StoreKind, policy: NSMergePolicy) throws {
        let stack = try Self.stack(kind, policy)
        let context = stack.context
        let users = ["a", "b"].map { context.insert("User", ["mail": $0, "name": $0.uppercased()]) }
        context.insert("Post", ["title": "of a", "author": users[0]])
        try context.save()
        users[1].setValuesForKeys(["mail": "a", "place": "There"])
        try context.save()
        switch policy.mergeType {
        case .mergeByPropertyStoreTrumpMergePolicyType:
            #expect(try Self.users(stack) == [["a", "A", "Nowhere"], ["b", "B", "There"]])
        case .rollbackMergePolicyType:
            #expect(try Self.users(stack) == [["a", "A", "Nowhere"], ["b", "B", "Nowhere"]])
        default:
            #expect(try Self.users(stack) == [["a", "B", "There"]])
            #expect(users[0].managedObjectContext == nil)
            #expect(try stack.newContext().all("Post").map { $0.value(forKey: "author") == nil } == [true])
        }
        #expect(!context.hasChanges)
    }

    @Test("Several new objects without a record: one stays and takes the members", arguments: StoreKind.all, all)
    func severalNew(kind: StoreKind, policy: NSMergePolicy) throws {
        let stack = try Self.stack(kind, policy)
        let users = ["1", "2", "3"].map { stack.context.insert("User", ["mail": "a", "name": $0]) }
        for user in users { stack.context.insert("Post", ["title": user.value(forKey: "name"), "author": user]) }
        try stack.context.save()
        let keepsLast = [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType].contains(
            policy.mergeType)
        #expect(try Self.users(stack) == [["a", keepsLast ? "3" : "1", "Nowhere"]])
        let isReleased = policy.mergeType == .rollbackMergePolicyType
        #expect(Self.titles(users[keepsLast ? 2 : 0]) == (isReleased ? ["1"] : ["1", "2", "3"]))
        #expect(try stack.newContext().all("Post").count == 3 && !stack.context.hasChanges)
    }

    @Test("A record that is changed too stays rather than new objects", arguments: StoreKind.all, all)
    func changedRecord(kind: StoreKind, policy: NSMergePolicy) throws {
        let stack = try Self.stack(kind, policy)
        let record = stack.context.insert("User", ["mail": "a", "name": "Ann"])
        try stack.context.save()
        record.setValue("Here", forKey: "place")
        let new = stack.context.insert("User", ["mail": "a", "name": "Anne"])
        try stack.context.save()
        let name = policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType ? "Anne" : "Ann"
        let isOverwritten = policy.mergeType == .overwriteMergePolicyType
        #expect(try Self.users(stack) == [["a", isOverwritten ? "Anne" : name, isOverwritten ? "Nowhere" : "Here"]])
        #expect(new.managedObjectContext == nil && record.managedObjectContext != nil)
    }

    @Test(
        "Constraints of several properties and those of a parent entity; nil and another case do not conflict",
        arguments: StoreKind.all)
    func kindsOfConstraints(kind: StoreKind) throws {
        let stack = try Self.stack(kind, .mergeByPropertyObjectTrump)
        let record = stack.context.insert("Admin", ["mail": "a", "name": "Ann", "number": 1, "rank": "first"])
        stack.context.insert("User", ["name": "Bob"])
        try stack.context.save()
        stack.context.insert("User", ["mail": "z", "name": "Ann", "number": 1, "place": "There"])
        stack.context.insert("User", ["mail": "A", "name": "Ann", "number": 2])
        stack.context.insert("User", ["name": "Bob"])
        stack.context.insert("User", ["number": 1])
        try stack.context.save()
        #expect(try stack.newContext().all("User").count == 5)
        #expect(record.value(forKey: "mail") as? String == "z" && record.value(forKey: "place") as? String == "There")
        #expect(record.value(forKey: "rank") as? String == "first")
    }

    @Test("An object in two conflicts takes its record's place in both", arguments: StoreKind.all)
    func twoConflicts(kind: StoreKind) throws {
        let stack = try Self.stack(kind, .mergeByPropertyObjectTrump)
        stack.context.insert("User", ["mail": "a", "name": "Ann", "number": 1])
        stack.context.insert("User", ["mail": "b", "name": "Bob", "number": 2])
        try stack.context.save()
        stack.context.insert("User", ["mail": "a", "name": "Bob", "number": 2])
        try stack.context.save()
        #expect(try Self.users(stack) == [["a", "Bob", "Nowhere"]])
    }

    @Test("A record that the context has in an older version takes the values too", arguments: StoreKind.all)
    func staleRecord(kind: StoreKind) throws {
        let stack = try Self.stack(kind, .mergeByPropertyObjectTrump)
        let record = stack.context.insert("User", ["mail": "a", "name": "Ann"])
        try stack.context.save()
        let other = stack.newContext()
        try other.existingObject(with: record.objectID).setValue("Theirs", forKey: "place")
        try other.save()
        stack.context.insert("User", ["mail": "a", "name": "Anne"])
        try stack.context.save()
        #expect(try Self.users(stack) == [["a", "Anne", "Theirs"]])
        #expect(record.value(forKey: "place") as? String == "Theirs")
    }

    @Test("Error 133021 names the objects, and leaves everything as it was", arguments: StoreKind.all)
    func error133021NamesObjects(kind: StoreKind) throws {
        let stack = try Self.stack(kind, .error)
        stack.context.insert("User", ["mail": "a", "name": "Ann"])
        try stack.context.save()
        let new = stack.context.insert("User", ["mail": "a", "name": "Anne"])
        let error = try failure(stack.context)
        #expect(error.code == NSManagedObjectConstraintMergeError)
        #expect(error.userInfo[NSInsertedObjectsKey] as? [NSManagedObjectID] == [new.objectID])
        #expect((error.userInfo["conflictList"] as? [NSConstraintConflict])?.first?.conflictingObjects == [new])
        #expect(new.isInserted && new.objectID.isTemporaryID && stack.context.insertedObjects == [new])
    }

    @Test(
        "10,000 upserts and 10,000 doubles are resolved in one go", .timeLimit(.minutes(20)), arguments: StoreKind.all)
    func of10000UpsertsAnd10000DoublesAreResolvedInOneGo(kind: StoreKind) throws {
        final class Counting: NSMergePolicy, @unchecked Sendable {
            var rounds = 0
            override func resolve(mergeConflicts list: [Any]) throws {
                rounds += 1
                try super.resolve(mergeConflicts: list)
            }
        }
        let policy = Counting(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let stack = try Self.stack(kind, policy)
        let writer = stack.newContext()
        for number in 0..<10_000 { writer.insert("User", ["mail": "\(number)", "name": "old"]) }
        try writer.save()
        for number in 0..<10_000 {
            stack.context.insert("User", ["mail": "\(number)", "name": "new", "number": number])
        }
        for number in 0..<10_000 { stack.context.insert("User", ["mail": "new \(number / 2)"]) }
        try stack.context.save()
        #expect(policy.rounds == 1)
        let reader = stack.newContext()
        #expect(try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "User")) == 15_000)
        #expect(try reader.all("User", NSPredicate(format: "name == 'old'")).isEmpty)
        #expect(!stack.context.hasChanges)
    }
}
