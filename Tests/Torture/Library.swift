import CoreData
import StoreContract

/// The stores that most operations work on: folders with documents, some of them large, and tags.
enum Library {
    static func model() -> NSManagedObjectModel { builder().model }

    /// A version to which a store is migrated by inference: an attribute is renamed, one goes, one comes, one has a default.
    static func newModel() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Folder", ["name": .stringAttributeType, "rank": .integer16AttributeType])
        builder.attribute("Folder.rank").defaultValue = 5
        builder.entity(
            "Document",
            [
                "name": .stringAttributeType, "content": .stringAttributeType, "blob": .binaryDataAttributeType,
                "author": .stringAttributeType,
            ])
        builder.attribute("Document.content").renamingIdentifier = "text"
        builder.attribute("Document.blob").allowsExternalBinaryDataStorage = true
        builder.entity("Tag", ["name": .stringAttributeType])
        relate(builder)
        return builder.model
    }

    private static func builder() -> ModelBuilder {
        let builder = ModelBuilder()
        builder.entity("Folder", ["name": .stringAttributeType])
        builder.entity(
            "Document",
            [
                "name": .stringAttributeType, "text": .stringAttributeType, "size": .integer32AttributeType,
                "blob": .binaryDataAttributeType,
            ])
        builder.attribute("Document.blob").allowsExternalBinaryDataStorage = true
        builder.entity("Tag", ["name": .stringAttributeType])
        relate(builder)
        return builder
    }

    private static func relate(_ builder: ModelBuilder) {
        builder.relationships("Folder.documents*!", "Document.folder", .cascadeDeleteRule, .nullifyDeleteRule)
        builder.relationships("Document.tags*", "Tag.documents*")
    }

    /// Where the store of an operation is.
    static func url(_ folder: URL, _ name: String = "Library") -> URL {
        folder.appendingPathComponent("\(name).sqlite")
    }

    /// Makes a store with 3 folders, 18 documents and 4 tags.
    static func make(_ url: URL, salt: String = "", _ options: [AnyHashable: Any] = [:], journal: String = "wal") throws
    {
        let scene = try Scene(url, model(), journal: journal, options)
        defer { scene.close() }
        let context = scene.context
        let tags = (0..<4).map { context.insert("Tag", ["name": "tag \($0)\(salt)"]) }
        for number in 0..<3 {
            let folder = context.insert("Folder", ["name": "folder \(number)\(salt)"])
            let documents = (0..<6).map { index in
                let document = context.insert(
                    "Document",
                    [
                        "name": "document \(number).\(index)\(salt)", "size": number * 10 + index,
                        "text": String(repeating: "text ", count: 150),
                    ])
                document.setValue(NSSet(array: [tags[index % 4], tags[(index + number) % 4]]), forKey: "tags")
                return document
            }
            documents[number].setValue(Data(repeating: UInt8(number + 1), count: 110_000), forKey: "blob")
            folder.setValue(NSOrderedSet(array: documents), forKey: "documents")
        }
        try context.save()
    }

    /// Carries something out with the store open, and closes it.
    static func with<Result>(
        _ folder: URL, journal: String = "wal", _ options: [AnyHashable: Any] = [:], _ body: (Scene) throws -> Result
    ) throws -> Result {
        let scene = try Scene(url(folder), model(), journal: journal, options)
        defer { scene.close() }
        let result = try body(scene)
        try scene.throwReported()
        return result
    }
}
