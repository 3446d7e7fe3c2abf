import CoreData
import Testing

@Suite struct GetTests {
    @Test func jsonHasAllPropertiesOfTheObjectsOwnEntity() throws {
        let library = try Library()
        defer { library.remove() }
        let uri = "x-coredata://\(library.uuid)/Book/p4"
        let object: [String: Any] = try Tool.run(["get", library.store.path, uri, "--format", "json"] + library.model)
            .json()
        // The address names the parent entity; the object is the novel that it is.
        #expect(object["entity"] as? String == "Novel")
        #expect(object["objectID"] as? String == "x-coredata://\(library.uuid)/Novel/p4")
        #expect((object["attributes"] as? [String: Any])?["genre"] as? String == "Fantasy, \"dark\"")
        #expect((object["relationships"] as? [String: Any])?.keys.sorted() == ["author"])
    }

    @Test func tableHasALineAPropertyAndALineAMember() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try Tool.run(["get", library.store.path, "Author/p1"] + library.model)
        #expect(
            outcome.output == """
                objectID  x-coredata://\(library.uuid)/Author/p1
                entity    Author
                born      2001-01-01T00:00:00.250Z
                name      Ann Able
                books     x-coredata://\(library.uuid)/Book/p1
                          x-coredata://\(library.uuid)/Book/p2

                """)
    }

    @Test(arguments: [
        ("Book/p999", "there is no such object in the store"), ("Author/p-1", "there is no such object in the store"),
        ("Book/7", "this is not an address"), ("nonsense", "this is not an address"),
        ("Bok/p1", "did you mean 'Book'?"),
        ("x-coredata://00000000-0000-0000-0000-000000000000/Book/p1", "the address is of store"),
        ("Novel/p1", "there is no such object in the store"),
    ])
    func addressWithoutAnObjectIsRefused(address: String, message: String) throws {
        let library = try Library()
        defer { library.remove() }
        expectRefusal(try Tool.run(["get", library.store.path, address] + library.model), containing: message)
    }

    @Test("a relationship to a missing row is shown, and a path through it is unreadable (HAZ-20)")
    func relationshipToAMissingRowIsShown() throws {
        let library = try Library()
        defer { library.remove() }
        try Database.change(library.store, "DELETE FROM ZAUTHOR")
        let outcome = try Tool.run(["get", library.store.path, "Book/p1", "--format", "json"] + library.model)
        #expect(outcome.code == 0)
        let object: [String: Any] = try outcome.json()
        #expect(
            (object["relationships"] as? [String: Any])?["author"] as? String
                == "x-coredata://\(library.uuid)/Author/p1")
        let path = try Tool.run(
            ["fetch", library.store.path, "Book", "--where", "pages == 100", "--keys", "title,author.name"]
                + library.model)
        #expect(path.code == 0)
        #expect(path.output.contains("Book 1  (unreadable)"))
    }

    @Test("a property list in XML is printed as the tree that it is (BRW-41)")
    func decodedMarkup() throws {
        let library = try Library()
        defer { library.remove() }
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["a": [1, "x"]], format: .xml, options: 0)
        let set = ["set", library.store.path, "Book/p1", "cover=" + list.base64EncodedString()] + library.model
        #expect(try Tool.run(set).code == 0)
        let decoded: [String: Any] = try Tool.run(
            ["get", library.store.path, "Book/p1", "--decode", "cover"] + library.model
        ).json()
        #expect(decoded["kind"] as? String == "propertyList" && decoded["complete"] as? Bool == true)
        #expect("\(decoded["value"] ?? "")".contains("x"))
    }
}
