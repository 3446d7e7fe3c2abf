import CoreData
import StoreContract
import Synchronization
import TestBasics
import Testing

/// What others may do to a store while somebody's save plan is being made: the store is not held, and no keys are recorded.
@Suite(.serialized) struct PlanMakingTests {
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Item", ["name": .stringAttributeType, "note": .transformableAttributeType])
        builder.attribute("Item.note").valueTransformerName = CallingTransformer.register()
        return builder.model
    }

    /// Has a block called once, when a context's next plan is made with a transformable value.
    private static func insertCalling(_ context: NSManagedObjectContext, _ block: @escaping @Sendable () -> Void) {
        CallingTransformer.call.withLock { $0 = block }
        context.insert("Item", ["name": "slow", "note": "text" as NSString])
    }

    @Test("others fetch and save while a plan is made, and their rows get other keys", arguments: StoreKind.all)
    func othersSaveMeanwhile(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: kind)
        let other = stack.newContext()
        let counts = Mutex<[Int]>([])
        Self.insertCalling(stack.context) {
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                other.performAndWait {
                    for _ in 0..<3 { other.insert("Item", ["name": "quick"]) }
                    try? other.save()
                    let count = (try? other.all("Item").count) ?? -1
                    counts.withLock { $0.append(count) }
                }
                done.signal()
            }
            let result = done.wait(timeout: .now() + 10)
            counts.withLock { $0.append(result == .success ? 1 : 0) }
        }
        try stack.context.save()
        #expect(counts.withLock { $0 } == [3, 1])
        let reopened = try stack.reopened()
        let items = try reopened.context.all("Item")
        #expect(Set(items.map(\.objectID.key)).count == 4)
        #expect(
            items.compactMap { $0.value(forKey: "name") as? String }.sorted() == ["quick", "quick", "quick", "slow"])
    }

    @Test(
        "keys that another process takes while a plan is made are not given out twice (STO-17)",
        arguments: StoreKind.all.filter { $0.capabilities.contains(.shared) })
    func anotherProcessTakesKeys(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: kind)
        for name in ["a", "b"] { stack.context.insert("Item", ["name": name]) }
        try stack.context.save()
        let foreign = try stack.another()
        let context = foreign.context
        let failure = Mutex<String?>(nil)
        Self.insertCalling(stack.context) {
            context.performAndWait {
                for _ in 0..<5 { context.insert("Item", ["name": "foreign"]) }
                do { try context.save() } catch { failure.withLock { $0 = "\(error)" } }
            }
        }
        let mine = try #require(stack.context.insertedObjects.first)
        try stack.context.save()
        #expect(failure.withLock { $0 } == nil)
        #expect(mine.objectID.key == 8 && mine.value(forKey: "name") as? String == "slow")
        stack.context.insert("Item", ["name": "last"])
        try stack.context.save()
        #expect(try context.all("Item").map(\.objectID.key).sorted() == Array(1...9))
    }

    @Test("keys of a plan that was not saved are given out again (STO-17)", arguments: StoreKind.all)
    func keysOfAFailedSave(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("Item", ["code": .integer64AttributeType]).uniquenessConstraints = [["code"]]
        let stack = try Stack(builder.model, kind: kind)
        stack.context.insert("Item", ["code": 1])
        try stack.context.save()
        let twin = stack.context.insert("Item", ["code": 1])
        expectError(133021) { try stack.context.save() }
        twin.setValue(2, forKey: "code")
        try stack.context.save()
        #expect(twin.objectID.key == 2)
    }
}

/// Calls a block when it turns a value into data.
private final class CallingTransformer: ValueTransformer {
    static let call = Mutex<(@Sendable () -> Void)?>(nil)

    static func register() -> String {
        let name = "PlanMakingTests.CallingTransformer"
        ValueTransformer.setValueTransformer(CallingTransformer(), forName: NSValueTransformerName(name))
        return name
    }

    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        let block = Self.call.withLock { call in
            defer { call = nil }
            return call
        }
        block?()
        return (value as? String).map { Data($0.utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}
