import CoreData
import SQLiteKit
import Testing

/// Stores whose metadata are gone: what is missing is named, what is there is read.
@Suite struct MissingMetadataTests {
    private func damaged(_ statement: String) throws -> Library {
        let library = try Library()
        let connection = try Connection.open(library.store.path, OpenOptions(mode: .readWrite))
        defer { connection.close() }
        try connection.execute(statement)
        return library
    }

    @Test(
        "inspect and sql read the tables of a store without metadata, and name what is missing (TOOL-02, HAZ-16)",
        arguments: [
            "UPDATE Z_METADATA SET Z_PLIST = NULL", "UPDATE Z_METADATA SET Z_PLIST = x'00'", "DELETE FROM Z_METADATA",
        ])
    func tablesAreRead(_ statement: String) throws {
        let library = try damaged(statement)
        defer { library.remove() }
        let inspected = try Tool.run("inspect", library.store.path, "--format", "json")
        #expect(inspected.code == 1)
        #expect(inspected.errors.contains("metadata") || inspected.errors.contains("Z_METADATA"), "\(inspected.errors)")
        let listed = try Tool.run("inspect", library.store.path).output
        #expect(listed.contains("not matched: the metadata has no hashes"), "\(listed)")
        let report: [String: Any] = try inspected.json()
        let entities = try #require(report["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Author", "Book", "Novel"])
        #expect(entities.map { $0["count"] as? Int } == [1, 3, 1])
        #expect(report["uuid"] as? String == (statement.hasPrefix("DELETE") ? nil : library.uuid))
        let asked = try Tool.run("sql", library.store.path, "SELECT count(*) FROM ZBOOK", "--format", "csv")
        #expect(asked.code == 0, "\(asked.errors)")
        #expect(asked.output.contains("4"))
        #expect(asked.errors.contains("etadata") || asked.errors.contains("Z_METADATA"), "\(asked.errors)")
        // What changes a store wants to know which model it is of.
        #expect(try Tool.run(["set", library.store.path, "Book/p1", "title=x"] + library.model).code != 0)
    }

    @Test("without metadata the kept model is shown, and a recovered store has the former identity (TOOL-02, HAZ-16)")
    func modelAndIdentityAreKept() throws {
        let library = try damaged("UPDATE Z_METADATA SET Z_PLIST = NULL")
        defer { library.remove() }
        let shown = try Tool.run("model", "show", library.store.path)
        #expect(shown.code == 0 && shown.output.contains("Novel"), "\(shown.output)\(shown.errors)")
        let checked = try Tool.run("check", library.store.path)
        #expect(checked.output.contains("has no metadata (Z_PLIST is NULL)"), "\(checked.output)")
        let new = library.folder.appendingPathComponent("New.sqlite")
        let recovered = try Tool.run("recover", library.store.path, "-o", new.path)
        #expect(recovered.code == 0, "\(recovered.output)\(recovered.errors)")
        #expect(try Database.text(new, "SELECT Z_UUID FROM Z_METADATA") == library.uuid)
        let report: [String: Any] = try Tool.run("inspect", new.path, "--format", "json").json()
        #expect(report["uuid"] as? String == library.uuid)
    }
}
