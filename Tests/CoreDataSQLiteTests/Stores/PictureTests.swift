import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// Three ways to keep a picture with an object, and what each costs when the objects alone are wanted.
@Suite struct PictureTests {
    /// An object whose picture is a file; the file goes when the deletion or the new picture is saved.
    final class FileNote: NSManagedObject {
        /// The file that nothing names once the save is done.
        private var abandoned: URL?

        override func willSave() {
            super.willSave()
            abandoned = nil
            guard !isInserted, let folder = managedObjectContext?.userInfo["folder"] as? URL,
                let name = committedValues(forKeys: ["fileName"])["fileName"] as? String,
                isDeleted || name != primitiveValue(forKey: "fileName") as? String
            else { return }
            abandoned = folder.appendingPathComponent(name)
        }

        override func didSave() {
            super.didSave()
            if let abandoned { try? FileManager.default.removeItem(at: abandoned) }
            abandoned = nil
        }
    }

    private let stack: Stack
    private let folder: TemporaryFolder
    private static let picture = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    init() throws {
        folder = try TemporaryFolder()
        let builder = ModelBuilder()
        builder.entity("WholeNote", ["title": .stringAttributeType, "picture": .binaryDataAttributeType])
        builder.entity("PartNote", ["title": .stringAttributeType])
        builder.entity("ImageData", ["picture": .binaryDataAttributeType])
        builder.relationships("PartNote.image", "ImageData.note", .cascadeDeleteRule)
        builder.entity(
            "FileNote", class: NSStringFromClass(FileNote.self),
            ["title": .stringAttributeType, "fileName": .stringAttributeType])
        stack = try Stack(builder.model)
        stack.context.userInfo["folder"] = folder.url
    }

    /// A new file with a picture; gives its name.
    private func file() throws -> String {
        let name = UUID().uuidString + ".png"
        try Self.picture.write(to: folder.url.appendingPathComponent(name))
        return name
    }

    /// The statements that read the titles of an entity's objects, and one picture after that.
    private func statements(_ entity: String, _ picture: (NSManagedObject) -> Data?) throws -> (
        list: [String], one: [String]
    ) {
        let context = stack.newContext()
        // What the save left in the row cache does not count.
        context.stalenessInterval = 0
        var objects: [NSManagedObject] = []
        let list = try stack.statements {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.returnsObjectsAsFaults = false
            objects = try context.fetch(request)
            #expect(objects.compactMap { $0.value(forKey: "title") as? String }.count == 5)
        }
        var found: Data?
        let one = stack.statements { found = objects.first.flatMap(picture) }
        #expect(found == Self.picture)
        return (list, one)
    }

    @Test(
        "a picture in the entity is read with each list, in an entity of its own or a file only when asked for (STO-23)"
    )
    func pictureInEntityIsReadWithEachList() throws {
        for number in 0..<5 {
            stack.context.insert("WholeNote", ["title": "\(number)", "picture": Self.picture])
            let image = stack.context.insert("ImageData", ["picture": Self.picture])
            stack.context.insert("PartNote", ["title": "\(number)", "image": image])
            stack.context.insert("FileNote", ["title": "\(number)", "fileName": try file()])
        }
        try stack.context.save()
        let whole = try statements("WholeNote") { $0.value(forKey: "picture") as? Data }
        #expect(whole.list.count == 1 && whole.list[0].contains("ZPICTURE") && whole.one.isEmpty)
        let part = try statements("PartNote") { $0.value(forKeyPath: "image.picture") as? Data }
        #expect(part.list.count == 1 && !part.list[0].contains("ZPICTURE"))
        #expect(part.one.count == 1 && part.one[0].contains("ZPICTURE"), "\(part.one)")
        let inFiles = try statements("FileNote") { note in
            (note.value(forKey: "fileName") as? String).flatMap {
                try? Data(contentsOf: folder.url.appendingPathComponent($0))
            }
        }
        #expect(inFiles.list.count == 1 && inFiles.one.isEmpty)
    }

    @Test("a replaced or deleted picture leaves neither a row nor a file (STO-23)")
    func nothingIsLeft() throws {
        let context = stack.context
        let part = context.insert(
            "PartNote", ["title": "a", "image": context.insert("ImageData", ["picture": Self.picture])])
        let inFile = context.insert("FileNote", ["title": "a", "fileName": try file()])
        try context.save()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
        // A note without its picture deletes that by itself.
        (part.value(forKey: "image") as? NSManagedObject).map(context.delete)
        part.setValue(context.insert("ImageData", ["picture": Self.picture]), forKey: "image")
        let second = try file()
        inFile.setValue(second, forKey: "fileName")
        try context.save()
        #expect(try stack.rows("SELECT count(*) FROM ZIMAGEDATA")[0][0].integer == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [second])
        context.delete(part)
        context.delete(inFile)
        try context.save()
        #expect(try stack.rows("SELECT count(*) FROM ZIMAGEDATA")[0][0].integer == 0)
        #expect(try stack.rows("SELECT count(*) FROM ZPARTNOTE")[0][0].integer == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }
}
