import CoreData
import StoreContract
import Testing

/// What conflicts print as: names and versions, which tell what collided, and no values.
@Suite struct ConflictDescriptionTests {
    private static func conflicts(_ context: NSManagedObjectContext) throws -> (NSError, [NSMergeConflict]) {
        let error = try failure(context)
        return (error, try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]))
    }

    private static func description(_ context: NSManagedObjectContext) throws -> String {
        try #require(conflicts(context).1.first).description
    }

    private static func name(_ object: NSManagedObject) -> String {
        "\(object.entity.name ?? "")/\(object.objectID.uriRepresentation().lastPathComponent)"
    }

    @Test(
        "a conflict's description names each differing property and who changed it, without values (CTX-21)",
        arguments: StoreKind.all)
    func descriptionNamesDifferingProperties(kind: StoreKind) throws {
        let songs = try Songs(kind)
        try songs.changeBoth()
        let (error, conflicts) = try Self.conflicts(songs.context)
        let text = Self.name(songs.mine) + ", version 1 to 2: album (both), artist (store), title (context)"
        #expect(conflicts.map(\.description) == [text] && conflicts[0].debugDescription == text)
        #expect(error.localizedFailureReason == "1 record was changed meanwhile: \(text).")
        songs.context.rollback()
        #expect(conflicts[0].description == text)
    }

    /// A value without equality, which a transformer stores as its text.
    private final class Label {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private final class LabelTransformer: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? { (value as? Label).map { Data($0.text.utf8) } }
        override func reverseTransformedValue(_ value: Any?) -> Any? {
            (value as? Data).map { Label(String(decoding: $0, as: UTF8.self)) }
        }
    }

    @Test(
        "values without equality differ where their stored bytes do (CTX-21)", arguments: StoreKind.all, [true, false])
    func valuesWithoutEqualityAreComparedByBytes(kind: StoreKind, changesLabel: Bool) throws {
        ValueTransformer.setValueTransformer(LabelTransformer(), forName: .init("LabelTransformer"))
        let builder = ModelBuilder()
        builder.entity("Song", ["title": .stringAttributeType, "label": .transformableAttributeType])
        builder.attribute("Song.label").valueTransformerName = "LabelTransformer"
        let stack = try Stack(builder.model, kind: kind)
        let mine = stack.context.insert("Song", ["title": "first", "label": Label("EMI")])
        try stack.context.save()
        stack.context.refresh(mine, mergeChanges: false)
        #expect((mine.value(forKey: "label") as? Label)?.text == "EMI")
        let other = stack.newContext()
        let theirs = try #require(try other.all("Song").first)
        theirs.setValue("theirs", forKey: "title")
        if changesLabel { theirs.setValue(Label("Kling Klang"), forKey: "label") }
        try other.save()
        mine.setValue("mine", forKey: "title")
        let text = Self.name(mine) + ", version 1 to 2: title (both)" + (changesLabel ? ", label (store)" : "")
        #expect(try Self.description(stack.context) == text)
    }

    @Test("the error's reason describes the first of several conflicts and names the others", arguments: StoreKind.all)
    func reasonDescribesFirstConflict(kind: StoreKind) throws {
        let stack = try Stack(Songs.model(), kind: kind)
        let mine = (0..<2).map { _ in stack.context.insert("Song", ["title": "first"]) }
        try stack.context.save()
        let other = stack.newContext()
        for song in try other.all("Song") { song.setValue("theirs", forKey: "title") }
        try other.save()
        for song in mine { song.setValue("mine", forKey: "title") }
        let (error, conflicts) = try Self.conflicts(stack.context)
        let names = conflicts.map { Self.name($0.sourceObject) }
        #expect(
            error.localizedFailureReason
                == "2 records were changed meanwhile: \(names[0]), version 1 to 2: title (both); \(names[1]).")
    }

    @Test("the description of a conflict with a deleted record says where it was deleted", arguments: StoreKind.all)
    func descriptionOfDeletedRecord(kind: StoreKind) throws {
        let songs = try Songs(kind)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = songs.context
        let id = songs.mine.objectID
        try child.performAndWait { try child.existingObject(with: id).setValue("child", forKey: "title") }
        songs.mine.setValue("mine", forKey: "title")
        try songs.deleteTheirs()
        #expect(try Self.description(songs.context) == Self.name(songs.mine) + ", deleted in the store")
        songs.context.delete(songs.mine)
        songs.context.processPendingChanges()
        let text = try child.performAndWait { try Self.description(child) }
        #expect(text == Self.name(songs.mine) + ", deleted in the parent context")
    }

    @Test("the description of a conflict of a deleted object says so", arguments: StoreKind.all)
    func descriptionOfDeletedObject(kind: StoreKind) throws {
        let songs = try Songs(kind)
        songs.context.delete(songs.mine)
        songs.theirs.setValue("Bacalao", forKey: "artist")
        songs.theirs.setValue(nil, forKey: "genre")
        try songs.other.save()
        let text = Self.name(songs.mine) + ", version 1 to 2: deleted in the context, artist (store), genre (store)"
        #expect(try Self.description(songs.context) == text)
    }

    @Test(
        "a description says so where only the members of a to-many relationship changed in the store",
        arguments: StoreKind.all, [true, false])
    func descriptionOfChangedMembers(kind: StoreKind, fromOwner: Bool) throws {
        let builder = ModelBuilder()
        builder.entity("Owner", ["name": .stringAttributeType, "note": .stringAttributeType])
        builder.entity("Member", ["name": .stringAttributeType])
        builder.relationships("Owner.members*", "Member.owner")
        let stack = try Stack(builder.model, kind: kind)
        let mine = stack.context.insert("Owner", ["name": "one"])
        try stack.context.save()
        let other = stack.newContext()
        let theirs = try #require(try other.all("Owner").first)
        let member = other.insert("Member", ["name": "m"])
        if fromOwner {
            theirs.mutableSetValue(forKey: "members").add(member)
        } else {
            member.setValue(theirs, forKey: "owner")
        }
        try other.save()
        stack.context.insert("Member", ["owner": mine])
        mine.setValue("two", forKey: "name")
        let text =
            Self.name(mine) + ", version 1 to 2: members (context), name (context); in the store no attribute differs: "
            + "a to-many relationship or equal values were written"
        let (_, conflicts) = try Self.conflicts(stack.context)
        #expect(conflicts.map(\.description) == [text])
        #expect(conflicts[0].cachedSnapshot?["name"] as? String == conflicts[0].objectSnapshot?["name"] as? String)
    }

    @Test(
        "the description of a uniqueness conflict names properties and objects, without values",
        arguments: StoreKind.all)
    func descriptionOfUniquenessConflict(kind: StoreKind) throws {
        let stack = try Stack(BatchModel.make(), kind: kind)
        let items = ["a", "b"].map { stack.context.insert("Item", ["name": $0, "code": "secret"]) }
        let names = items.map(Self.name)
        let conflict = NSConstraintConflict(
            constraint: ["code"], databaseObject: items[0], databaseSnapshot: nil, conflicting: [items[1]],
            conflictingSnapshots: [])
        #expect(conflict.description == "Item.code must be unique: \(names[0]) (store), \(names[1]) (context)")
    }
}
