import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// R-trees that do not agree with their tables, and inverses that do not name each other.
@Suite("coredata check: indexes and inverses")
struct CheckIndexTests {
    private static let tree = "Z_RT_Place_where"

    private static func places() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Place", ["latitude": .doubleAttributeType, "longitude": .doubleAttributeType])
        let elements = ["latitude", "longitude"].compactMap { builder["Place"].propertiesByName[$0] }.map {
            NSFetchIndexElementDescription(property: $0, collationType: .rTree)
        }
        builder["Place"].indexes = [NSFetchIndexDescription(name: "where", elements: elements)]
        return builder.model
    }

    private func store(in folder: TemporaryFolder) throws -> URL {
        let url = folder.url.appendingPathComponent("Places.sqlite")
        let stack = try Stack(Self.places(), url: url)
        let numbers: [Double] = [47.1, -8.5, 0, 1e-38, -1e300, 16_777_217, 0.30000000000000004, 1e39]
        for number in numbers { stack.context.insert("Place", ["latitude": number, "longitude": number / 3]) }
        stack.context.insert("Place", ["latitude": 1.0])
        stack.context.insert("Place")
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        return url
    }

    @Test(
        "an R-tree whose rows are lost, too many or others than the table's is found and rebuilt (TOOL-16)",
        arguments: [
            "DELETE FROM \(tree) WHERE Z_PK = 2", "INSERT INTO \(tree) VALUES (99, 1, 1, 1, 1)",
            "UPDATE \(tree) SET ZLATITUDE_MIN = 48, ZLATITUDE_MAX = 48 WHERE ZLATITUDE_MIN > 40 AND ZLATITUDE_MAX < 48",
            "UPDATE \(tree) SET ZLONGITUDE_MAX = 999 WHERE ZLATITUDE_MIN > 40 AND ZLATITUDE_MAX < 48",
            "DELETE FROM \(tree) WHERE Z_PK = 10",
        ])
    func treeIsRebuilt(statement: String) throws {
        let folder = try TemporaryFolder()
        let store = try store(in: folder)
        let sound = try Tool.run("check", store.path)
        #expect(sound.code == 0, "\(sound.output)")
        try Database.change(store, statement)
        let found = try Tool.run("check", store.path)
        #expect(found.code == 1 && found.output.contains("in 1 row."), "\(found.output)")
        #expect(found.output.contains("index-out-of-step") && found.output.contains(Self.tree), "\(found.output)")
        #expect(try Tool.run("check", store.path, "--repair").code == 0)
        #expect(try Tool.run("check", store.path).code == 0)
        #expect(try Database.text(store, "SELECT count(*) FROM \(Self.tree)") == "10")
    }

    @Test("triggers that keep up an R-tree are made again, and rows of its table are repaired (TOOL-16)")
    func triggersAreMadeAgain() throws {
        let folder = try TemporaryFolder()
        let store = try store(in: folder)
        let connection = try Connection.open(store.path)
        // The triggers of the table write into the R-tree, a virtual table.
        try connection.configure(.trustedSchema, true)
        try connection.execute("UPDATE ZPLACE SET Z_OPT = -1 WHERE Z_PK = 1")
        try connection.execute("DROP TRIGGER \(Self.tree)_INSERT")
        connection.close()
        let found = try Tool.run("check", store.path)
        #expect(found.code == 1 && found.output.contains("lacks triggers"), "\(found.output)")
        let repaired = try Tool.run("check", store.path, "--repair")
        #expect(repaired.code == 0, "\(repaired.output)\(repaired.errors)")
        let count = try Database.text(store, "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'")
        #expect(count == "3")
    }

    @Test("a third relationship that is passed on to one end alone makes no one-sided link (TOOL-16)")
    func thirdRelationship() throws {
        let builder = ModelBuilder()
        builder.entity("Author", ["name": .stringAttributeType])
        builder.entity("Image", ["name": .stringAttributeType])
        builder.relationships("Author.portrait", "Image.shown")
        builder.relationship("Image.shows", to: "Author").linkedInverse =
            builder["Author"].relationshipsByName["portrait"]
        let model = builder.model
        for kind in [StoreKind.sqlite, .xml, .binary] {
            let folder = try TemporaryFolder()
            let url = folder.url.appendingPathComponent("Store")
            let stack = try Stack(model, url: url, kind: kind)
            let (author, image) = (stack.context.insert("Author"), stack.context.insert("Image"))
            image.setValue(author, forKey: "shows")
            try stack.context.save()
            try stack.coordinator.remove(stack.store)
            let again = try Stack(model, url: url, kind: kind)
            let found = try #require(try again.context.all("Author").first)
            #expect(found.value(forKey: "portrait") is NSManagedObject)
            try again.coordinator.remove(again.store)
            // Other kinds keep no model; opening them has looked at the links.
            guard kind.type == NSSQLiteStoreType else { continue }
            let checked = try Tool.run("check", url.path)
            #expect(checked.code == 0, "\(kind): \(checked.output)\(checked.errors)")
        }
    }
}
