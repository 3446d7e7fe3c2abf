import CoreData
import StoreContract
import Testing

/// Conflicts of objects with values that a store keeps beside the rows, and with transformable ones.
@Suite struct LargeConflictTests {
    private static let values = (1...3).map { Data(repeating: UInt8($0), count: 150 * 1024) }

    /// A picture that is read in two contexts.
    private struct Scene {
        let stack: Stack
        let other: NSManagedObjectContext
        let mine, theirs: NSManagedObject

        init(_ kind: StoreKind, _ policy: NSMergePolicy) throws {
            let builder = ModelBuilder()
            builder.entity(
                "Picture",
                ["bytes": .binaryDataAttributeType, "title": .stringAttributeType, "tags": .transformableAttributeType])
            builder.attribute("Picture.bytes").allowsExternalBinaryDataStorage = true
            stack = try Stack(builder.model, kind: kind)
            mine = stack.context.insert("Picture", ["bytes": values[0], "title": "first", "tags": ["a"] as NSArray])
            try stack.context.save()
            other = stack.newContext()
            theirs = try other.existingObject(with: mine.objectID)
            stack.context.mergePolicy = policy
        }

        /// The number of the stored value, the title and the first tag.
        func stored() throws -> [String] {
            let reader = stack.newContext()
            let picture = try #require(try reader.all("Picture").first)
            return [
                picture.value(forKey: "bytes").map { "\(values.firstIndex(of: $0 as? Data ?? Data()) ?? -1)" } ?? "nil",
                picture.value(forKey: "title") as? String ?? "nil",
                (picture.value(forKey: "tags") as? [String])?.first ?? "nil",
            ]
        }
    }

    @Test(
        "Large and transformable values are decided like others", arguments: StoreKind.all,
        [
            (NSMergePolicy.mergeByPropertyStoreTrump, ["1", "mine", "theirs"]),
            (.mergeByPropertyObjectTrump, ["2", "mine", "theirs"]), (.overwrite, ["2", "mine", "a"]),
            (.rollback, ["1", "first", "theirs"]),
        ])
    func changedOnBothSides(kind: StoreKind, expected: (NSMergePolicy, [String])) throws {
        let scene = try Scene(kind, expected.0)
        _ = scene.mine.value(forKey: "tags")
        scene.theirs.setValuesForKeys(["bytes": Self.values[1], "tags": ["theirs"] as NSArray])
        try scene.other.save()
        scene.mine.setValuesForKeys(["bytes": Self.values[2], "title": "mine"])
        try scene.stack.context.save()
        #expect(try scene.stored() == expected.1)
        #expect(scene.mine.value(forKey: "bytes") as? Data == Int(expected.1[0]).map { Self.values[$0] })
    }

    @Test("A large value that went with another's save is not overwritten by nothing", arguments: StoreKind.all)
    func valueIsGone(kind: StoreKind) throws {
        let scene = try Scene(kind, .overwrite)
        scene.stack.context.refresh(scene.mine, mergeChanges: false)
        _ = scene.mine.value(forKey: "title")
        scene.theirs.setValue(Self.values[1], forKey: "bytes")
        try scene.other.save()
        scene.mine.setValue("mine", forKey: "title")
        try scene.stack.context.save()
        #expect(try ["0", "1"].contains(scene.stored()[0]) && scene.stored()[1] == "mine")
    }

    @Test("A record written again has its large values", arguments: StoreKind.all)
    func writtenAgain(kind: StoreKind) throws {
        let scene = try Scene(kind, .mergeByPropertyObjectTrump)
        scene.other.delete(scene.theirs)
        try scene.other.save()
        scene.mine.setValuesForKeys(["bytes": Self.values[2], "title": "mine"])
        try scene.stack.context.save()
        #expect(try scene.stored() == ["2", "mine", "a"])
    }

    @Test(
        "an observer is notified of the values that a policy brings, and of those that a failed save restores (KVC-11)",
        arguments: StoreKind.all)
    func observerIsNotifiedOfValuesThatPolicyBrings(kind: StoreKind) throws {
        let stack = try HeroModel.stack(kind)
        let mine = Hero(context: stack.context)
        mine.name = "Ann"
        try stack.context.save()
        let other = stack.newContext()
        let theirs = try #require(try other.existingObject(with: mine.objectID) as? Hero)
        let (name, strength) = (mine.listen("name"), mine.listen("strength"))
        theirs.name = "Bea"
        theirs.strength = 5
        try other.save()
        mine.name = "Mine"
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try stack.context.save()
        #expect(name.heard == ["name Ann>Mine", "name Mine>Bea"])
        #expect(strength.heard.count == 1 && strength.heard[0].hasSuffix(">5"))
    }
}
