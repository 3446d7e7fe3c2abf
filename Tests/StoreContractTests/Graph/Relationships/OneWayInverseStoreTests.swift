import CoreData
import StoreContract
import TestBasics
import Testing

/// Stores whose model has inverses that do not name each other, as Apple's compiler lets pass.
@Suite struct OneWayInverseStoreTests {
    private static func model() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Author", ["name": .stringAttributeType])
        builder.entity("Image", ["name": .stringAttributeType])
        let portrait = builder.relationship("Author.portrait", to: "Image")
        let shows = builder.relationship("Image.shows", to: "Author")
        let shown = builder.relationship("Image.shown", to: "Author")
        portrait.linkedInverse = shown
        shows.linkedInverse = portrait
        builder.relationships("Author.images*", "Image.authors*")
        let liked = builder.relationship("Image.liked*", to: "Author")
        liked.linkedInverse = builder["Author"].relationshipsByName["images"]
        _ = shown
        return builder.model
    }

    @Test(
        "an inverse that names none is followed one way, and each relationship is stored (REL-01)",
        arguments: StoreKind.all)
    func oneWayInverseIsFollowedOneWay(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: kind)
        let context = stack.context
        let (ann, bob) = (context.insert("Author", ["name": "Ann"]), context.insert("Author", ["name": "Bob"]))
        let (sun, sea) = (context.insert("Image", ["name": "Sun"]), context.insert("Image", ["name": "Sea"]))
        sun.setValue(ann, forKey: "shows")
        #expect(ann.value(forKey: "portrait") as? NSManagedObject === sun)
        #expect(sun.value(forKey: "shown") == nil)
        sea.setValue(bob, forKey: "shown")
        #expect(bob.value(forKey: "portrait") == nil)
        ann.setValue(NSSet(array: [sun, sea]), forKey: "images")
        sun.setValue(NSSet(object: bob), forKey: "liked")
        try context.save()

        let again = stack.newContext()
        func object(_ entity: String, _ name: String) throws -> NSManagedObject {
            try #require(try again.all(entity, NSPredicate(format: "name == %@", name)).first)
        }
        func names(_ value: Any?) -> [String] {
            let objects = (value as? NSManagedObject).map { [$0] } ?? (value as? Set<NSManagedObject>).map(Array.init)
            return (objects ?? []).compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
        #expect(names(try object("Image", "Sun").value(forKey: "shows")) == ["Ann"])
        #expect(names(try object("Author", "Ann").value(forKey: "portrait")) == ["Sun"])
        #expect(names(try object("Image", "Sea").value(forKey: "shown")) == ["Bob"])
        #expect(names(try object("Author", "Bob").value(forKey: "portrait")) == [])
        #expect(names(try object("Author", "Ann").value(forKey: "images")) == ["Sea", "Sun"])
        // What is liked passes on to the images of the author, not to their authors.
        #expect(names(try object("Image", "Sun").value(forKey: "liked")) == ["Bob"])
        #expect(names(try object("Author", "Bob").value(forKey: "images")) == ["Sun"])
        #expect(names(try object("Image", "Sea").value(forKey: "liked")) == [])

        let (sunAgain, annAgain) = (try object("Image", "Sun"), try object("Author", "Ann"))
        annAgain.setValue(nil, forKey: "portrait")
        again.delete(sunAgain)
        try again.save()
        #expect(try stack.newContext().all("Image", nil).count == 1)
    }

    @Test("a store with one-way inverses is copied to every other kind (STO-24)", arguments: StoreKind.all)
    func oneWayInverseIsCopied(kind: StoreKind) throws {
        let stack = try Stack(Self.model(), kind: .sqlite)
        let ann = stack.context.insert("Author", ["name": "Ann"])
        let sun = stack.context.insert("Image", ["name": "Sun"])
        sun.setValue(ann, forKey: "shown")
        sun.setValue(NSSet(object: ann), forKey: "liked")
        try stack.context.save()
        let store = try #require(stack.coordinator.persistentStores.first)
        let folder = try TemporaryFolder()
        let copy = try stack.coordinator.migratePersistentStore(
            store, to: folder.url.appendingPathComponent("Copy"), options: nil, withType: kind.type)
        #expect(copy.type == kind.type)
        let context = stack.newContext()
        let image = try #require(try context.all("Image", nil).first)
        #expect((image.value(forKey: "shown") as? NSManagedObject)?.value(forKey: "name") as? String == "Ann")
        #expect((image.value(forKey: "liked") as? Set<NSManagedObject>)?.count == 1)
    }
}
