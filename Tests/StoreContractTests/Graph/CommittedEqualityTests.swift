import CoreData
import StoreContract
import Testing

/// What counts as changed when a property is set to what was last fetched or saved.
///
/// Apple's header says of `hasPersistentChangedValues` that it compares with the last saved state, while `hasChanges` is a
/// simple flag.
@Suite struct CommittedEqualityTests {
    private static nonisolated(unsafe) let values: [String: Any] = [
        "int16": 3, "int32": 4, "int64": 5, "decimal": NSDecimalNumber(string: "12.50"), "double": 1.5, "float": 0.25,
        "string": "Ann", "flag": true, "date": Date(timeIntervalSinceReferenceDate: 7.5), "data": Data([1, 2, 3]),
        "uuid": UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
        "uri": URL(fileURLWithPath: "/a/b"), "archived": ["a", "b"] as NSArray,
    ]
    private static nonisolated(unsafe) let others: [String: Any] = [
        "int16": 4, "int32": 5, "int64": 6, "decimal": NSDecimalNumber(string: "12.51"), "double": 1.25, "float": 0.5,
        "string": "Bob", "flag": false, "date": Date(timeIntervalSinceReferenceDate: 8), "data": Data([1, 2, 4]),
        "uuid": UUID(uuid: (2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
        "uri": URL(fileURLWithPath: "/a/c"), "archived": ["a", "c"] as NSArray,
    ]

    @Test("a value of any type set to the committed one does not count as a change (OBJ-11)", arguments: StoreKind.all)
    func sameValues(kind: StoreKind) throws {
        let stack = try Stack(SampleModel.make(), kind: kind)
        stack.context.insert("Sample", Self.values)
        try stack.context.save()
        let context = try stack.reopened().context
        let sample = try #require(try context.all("Sample").first)
        for (key, value) in Self.values {
            sample.setValue(value, forKey: key)
            #expect(sample.hasChanges && sample.isUpdated, "\(key)")
            #expect(!sample.hasPersistentChangedValues && sample.changedValues().isEmpty, "\(key)")
            sample.setValue(Self.others[key], forKey: key)
            #expect(sample.hasPersistentChangedValues && sample.changedValues().keys.sorted() == [key])
            sample.setValue(nil, forKey: key)
            #expect(sample.hasPersistentChangedValues && sample.changedValues()[key] is NSNull, "\(key)")
            sample.setValue(value, forKey: key)
            #expect(!sample.hasPersistentChangedValues && sample.changedValues().isEmpty, "\(key)")
        }
        #expect(context.hasChanges && context.updatedObjects == [sample])
        try context.save()
        #expect(!sample.hasChanges)
    }

    @Test("nil set over nil does not count as a change, and a value does (OBJ-11)", arguments: StoreKind.all)
    func nilSetOverNilDoesNotCountAsChange(kind: StoreKind) throws {
        let stack = try Stack(SampleModel.make(), kind: kind)
        let sample = stack.context.insert("Sample")
        try stack.context.save()
        for (key, value) in Self.values {
            sample.setValue(nil, forKey: key)
            #expect(sample.hasChanges && !sample.hasPersistentChangedValues && sample.changedValues().isEmpty)
            sample.setValue(value, forKey: key)
            #expect(sample.hasPersistentChangedValues && sample.changedValues().count == 1, "\(key)")
            sample.setValue(nil, forKey: key)
        }
    }

    @Test(
        "a relationship set back to its committed object does not count as a change (OBJ-11)", arguments: StoreKind.all)
    func relationshipSetBackDoesNotCountAsChange(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let heroes = ["Ann", "Bob"].map { stack.context.insert("Hero", ["name": $0]) }
        let power = stack.context.insert("Power", ["name": "Flight", "hero": heroes[0]])
        try stack.context.save()
        power.setValue(heroes[1], forKey: "hero")
        #expect(power.hasPersistentChangedValues && power.changedValues()["hero"] as? NSManagedObject === heroes[1])
        #expect(heroes[0].hasPersistentChangedValues && heroes[1].hasPersistentChangedValues)
        power.setValue(heroes[0], forKey: "hero")
        #expect(!power.hasPersistentChangedValues && power.changedValues().isEmpty && power.hasChanges)
        #expect(!heroes[0].hasPersistentChangedValues && heroes[1].changedValues().isEmpty)
    }

    @Test("of a new object the defaults are what it is compared with (OBJ-11)", arguments: StoreKind.all)
    func newObjects(kind: StoreKind) throws {
        let builder = ModelBuilder()
        builder.entity("User", ["name": .stringAttributeType, "place": .stringAttributeType])
        builder.attribute("User.place").defaultValue = "Nowhere"
        let stack = try Stack(builder.model, kind: kind)
        let user = stack.context.insert("User")
        #expect(user.hasChanges && !user.hasPersistentChangedValues && user.changedValues().isEmpty)
        user.setValue("Nowhere", forKey: "place")
        #expect(user.changedValues().isEmpty)
        user.setValue(nil, forKey: "place")
        #expect(user.changedValues()["place"] is NSNull && user.hasPersistentChangedValues)
        try stack.context.save()
        #expect(try stack.newContext().all("User").first?.value(forKey: "place") == nil)
    }

    /// On systems of Apple's, names of files are decomposed and typed texts composed: both occur in one store.
    @Test("a text that changes its composition alone is changed and saved (OBJ-11)", arguments: StoreKind.all)
    func compositionIsAChange(kind: StoreKind) throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let stack = try Stack(SampleModel.make(), kind: kind)
        let sample = stack.context.insert("Sample", ["string": composed, "archived": [composed] as NSArray])
        try stack.context.save()
        sample.setValue(decomposed, forKey: "string")
        sample.setValue([decomposed] as NSArray, forKey: "archived")
        #expect(sample.changedValues().keys.sorted() == ["archived", "string"])
        try stack.context.save()
        let again = try stack.reopened()
        let read = try #require(try again.context.all("Sample").first)
        #expect((read.value(forKey: "string") as? String)?.unicodeScalars.count == 2)
        #expect((read.value(forKey: "archived") as? [String])?.first?.unicodeScalars.count == 2)
        read.setValue(["a": composed] as NSDictionary, forKey: "archived")
        try again.context.save()
        read.setValue(["a": decomposed] as NSDictionary, forKey: "archived")
        #expect(read.changedValues().keys.sorted() == ["archived"])
    }
}
