import CoreData
import StoreContract
import Testing

/// Methods that programs override to be asked about every property, or told of every change.
///
/// That `didChangeValue(forKey:)` of a class is called by its dynamic accessors is shown in public code which changes a value
/// from there and warns of calling itself.
@Suite struct OverriddenMethodTests {
    private static func stack(_ kind: StoreKind = .inMemory) throws -> Stack {
        let builder = ModelBuilder()
        for name in ["Told", "Checked"] {
            builder.entity(
                name, class: "StoreContractTests.\(name)",
                ["name": .stringAttributeType, "count": .integer32AttributeType, "note": .stringAttributeType])
        }
        builder.entity("Tag", ["text": .stringAttributeType])
        builder.relationships("Told.tags*", "Tag.owner")
        builder.relationships("Told.friend", "Told.admirer")
        builder.relationships("Checked.parts*", "Checked.whole")
        return try Stack(builder.model, kind: kind)
    }

    @Test("overridden change methods are called around each change of an attribute and to-one relationship (KVC-09)")
    func changeMethodsAreCalled() throws {
        let stack = try Self.stack()
        let (told, other) = (Told(context: stack.context), Told(context: stack.context))
        told.setValue("Ann", forKey: "name")
        told.setValue(3, forKey: "count")
        told.setValue(other, forKey: "friend")
        #expect(told.log == ["will name", "did name", "will count", "did count", "will friend", "did friend"])
        #expect(other.log == ["will admirer", "did admirer"])
        #expect(told.value(forKey: "note") as? String == "changed name")
        told.log = []
        told.willAccessValue(forKey: "name")
        told.didAccessValue(forKey: "name")
        told.willChangeValue(forKey: "name")
        told.setPrimitiveValue("Bob", forKey: "name")
        told.didChangeValue(forKey: "name")
        #expect(told.log == ["access name", "accessed name", "will name", "did name"])
        try stack.context.save()
        #expect(!told.hasChanges)
    }

    @Test("observers, undo and change tracking work in such a class as in others (KVC-11)")
    func trackingGoesOn() throws {
        let stack = try Self.stack()
        let told = Told(context: stack.context)
        try stack.context.save()
        stack.context.undoManager = UndoManager()
        var seen: [String?] = []
        let log = Log()
        told.addObserver(log, forKeyPath: "name", options: [.new])
        told.setValue("Ann", forKey: "name")
        seen = log.names
        #expect(seen == ["Ann"] && told.hasChanges)
        stack.context.processPendingChanges()
        stack.context.undo()
        #expect(told.value(forKey: "name") == nil)
        told.removeObserver(log, forKeyPath: "name")
    }

    @Test(
        "an overridden validateValue is asked about every property of a save, and may correct it (VAL-10)",
        arguments: StoreKind.all)
    func validationIsAsked(kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let checked = Checked(context: stack.context)
        checked.setValue("ann", forKey: "name")
        checked.setValue(-1, forKey: "count")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.domain == "Checked" && Set(checked.keys) == ["name", "count", "note", "parts", "whole"])
        checked.setValue(1, forKey: "count")
        try stack.context.save()
        #expect(checked.value(forKey: "name") as? String == "ANN")
        checked.keys = []
        checked.setValue(2, forKey: "count")
        try stack.context.save()
        #expect(Set(checked.keys) == ["name", "count", "note", "parts", "whole"])
        #expect(try stack.reopened().context.all("Checked").first?.value(forKey: "name") as? String == "ANN")
    }

    @Test("an overridden validateValue is reached by every form of the call (VAL-10)")
    func everyFormReachesTheOverride() throws {
        let checked = try Checked(context: Self.stack().context)
        var (value, object): (Any?, AnyObject?) = ("bob", "cid" as NSString)
        try checked.validateValue(&value, forKey: "name")
        try checked.validateValue(&object, forKey: "name")
        #expect(value as? String == "BOB" && object as? String == "CID")
        var negative: Any? = -1
        #expect(throws: NSError.self) { try checked.validateValue(&negative, forKey: "count") }
        #expect(checked.value(forKey: "name") == nil && checked.keys == ["name", "name", "count"])
    }
}

/// What an observer by key is told.
private final class Log: KeyValueObserver {
    private(set) var names: [String?] = []

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        names.append(change?[.newKey] as? String)
    }
}

final class Told: NSManagedObject {
    var log: [String] = []

    override func willChangeValue(forKey key: String) {
        log.append("will \(key)")
        super.willChangeValue(forKey: key)
    }

    override func didChangeValue(forKey key: String) {
        log.append("did \(key)")
        super.didChangeValue(forKey: key)
        if key == "name" { setPrimitiveValue("changed \(key)", forKey: "note") }
    }

    override func willAccessValue(forKey key: String?) {
        log.append("access \(key ?? "")")
        super.willAccessValue(forKey: key)
    }

    override func didAccessValue(forKey key: String?) {
        log.append("accessed \(key ?? "")")
        super.didAccessValue(forKey: key)
    }
}

final class Checked: NSManagedObject {
    var keys: [String] = []

    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        keys.append(key)
        try super.validateValue(value, forKey: key)
        if key == "count", let count = value.pointee as? NSNumber, count.intValue < 0 {
            throw NSError(domain: "Checked", code: 1)
        }
        if key == "name", let name = value.pointee as? String { value.pointee = name.uppercased() as NSString }
    }
}
