import CoreData
import StoreContract
import Testing

/// What is computed in `willSave` and checked by rules, of objects to which a merge policy gave other values.
///
/// Apple documents neither; that the values in the file agree with each other is what both are for.
@Suite struct ResolvedSaveTests {
    private static func stack(_ kind: StoreKind, _ policy: NSMergePolicy) throws -> Stack {
        let builder = ModelBuilder()
        let text = NSAttributeType.stringAttributeType
        builder.entity(
            "Person", class: "StoreContractTests.FullPerson", ["mail": text, "first": text, "last": text, "full": text])
        builder["Person"].uniquenessConstraints = [["mail"]]
        let stack = try Stack(builder.model, kind: kind)
        stack.context.mergePolicy = policy
        return stack
    }

    private static func full(_ stack: Stack) throws -> [String?] {
        try stack.newContext().all("Person").map { $0.value(forKey: "full") as? String }
    }

    @Test(
        "values computed from a record are computed again when it takes over unique values (OBJ-23)",
        arguments: StoreKind.all)
    func computedValuesFollowTakenOverUniqueValues(kind: StoreKind) throws {
        let stack = try Self.stack(kind, .mergeByPropertyObjectTrump)
        stack.context.insert("Person", ["mail": "a", "first": "Ann", "last": "Archer"])
        try stack.context.save()
        stack.context.reset()
        stack.context.insert("Person", ["mail": "a", "first": "Anne"])
        try stack.context.save()
        #expect(try Self.full(stack) == ["Anne Archer"])
        #expect(!stack.context.hasChanges)
    }

    @Test("the same of changes that two contexts made (OBJ-23)", arguments: StoreKind.all)
    func bothChanged(kind: StoreKind) throws {
        let stack = try Self.stack(kind, .mergeByPropertyObjectTrump)
        let mine = stack.context.insert("Person", ["mail": "a", "first": "Ann", "last": "Archer"])
        try stack.context.save()
        let other = stack.newContext()
        try other.all("Person").first?.setValue("Baker", forKey: "last")
        try other.save()
        mine.setValue("Anne", forKey: "first")
        try stack.context.save()
        #expect(try Self.full(stack) == ["Anne Baker"])
        #expect(mine.value(forKey: "full") as? String == "Anne Baker" && !stack.context.hasChanges)
    }

    @Test("a value computed after a resolution is checked (OBJ-23)", arguments: StoreKind.all)
    func valueComputedAfterResolutionIsChecked(kind: StoreKind) throws {
        let stack = try Self.stack(kind, .mergeByPropertyObjectTrump)
        stack.context.insert("Person", ["mail": "a", "first": "Ann", "last": "Archer"])
        try stack.context.save()
        stack.context.reset()
        let new = stack.context.insert("Person", ["mail": "a", "first": "Refused"])
        #expect(try failure(stack.context).code == 1234)
        #expect(try Self.full(stack) == ["Ann Archer"] && new.isInserted)
    }

    @Test("who changes itself each time is not asked for ever (VAL-13)", arguments: StoreKind.all)
    func endlessSavePreparation(kind: StoreKind) throws {
        let stack = try Self.stack(kind, .mergeByPropertyObjectTrump)
        stack.context.insert("Person", ["mail": "a", "last": "Archer"])
        try stack.context.save()
        stack.context.reset()
        stack.context.insert("Person", ["mail": "a", "first": "Restless"])
        #expect(try failure(stack.context).code == NSCoreDataError)
        #expect(try Self.full(stack) == ["- Archer"])
    }
}

/// A person with a name put together before each save.
final class FullPerson: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([.stored("mail")])

    private func text(_ key: String) -> String { primitiveValue(forKey: key) as? String ?? "-" }

    override func willSave() {
        super.willSave()
        let full = "\(text("first")) \(text("last"))"
        let isRestless = full == "Restless Archer"
        if isRestless || full != text("full") { setValue(isRestless ? text("full") + "!" : full, forKey: "full") }
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        if text("full") == "Refused Archer" { throw NSError(domain: "Test", code: 1234) }
    }
}
