import CoreData
import CoreDataMigrationChecks
import TestBasics
import TestServers
import Testing

/// Copies between every two kinds of stores, compared object by object, with the keys of the objects.
@Suite struct TransferTests {
    /// The kinds that are here, by the ends of their names.
    static let kinds = ["sqlite", "xml", "binary"] + (PostgresServer.isAvailable ? ["postgresql"] : [])
    static let pairs = kinds.flatMap { one in kinds.map { [one, $0] } }

    private static func place(_ kind: String, _ name: String, _ folder: URL) throws -> String {
        guard kind == "postgresql" else { return folder.appendingPathComponent("\(name).\(kind)").path }
        return try PostgresServer.shared.get().makeURL(name).absoluteString
    }

    /// The lines of an export, with objects called by code or name in place of their addresses.
    static func objects(_ place: String, _ gallery: Gallery) throws -> [String] {
        let outcome = try gallery.run("export", place)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        return Gallery.named(outcome.output.replacing(/x-coredata:\/\/[0-9A-F-]+\//, with: ""))
    }

    @Test(
        "a copy from every kind to every other has the same objects under the same keys (STO-06, TOOL-16)",
        arguments: TestSeed.sample(pairs, step: 2))
    func everyPair(kinds: [String]) throws {
        let gallery = try Gallery()
        let source = try Self.place(kinds[0], "source", gallery.folder.url)
        let copy = try Self.place(kinds[1], "copy", gallery.folder.url)
        let first = try gallery.run("copy", gallery.store.path, source)
        #expect(first.code == 0, "\(first.errors)")
        let second = try gallery.run("copy", source, copy)
        #expect(second.code == 0, "\(second.errors)")
        #expect(try Self.objects(copy, gallery) == Self.objects(gallery.store.path, gallery))
        // XML and binary files number the records of all entities together, and keep by which keys the store has them.
        let keys = try gallery.run("compare", source, copy, "--by", "id", "--values")
        #expect(keys.code == 0, "\(keys.output)\(keys.errors)")
        let inserted = try gallery.run("insert", copy, "Work", "code=new")
        #expect(inserted.code == 0, "\(inserted.errors)")
        let after = try gallery.run("compare", source, copy, "--by", "id")
        #expect(after.output.contains("0 changed, 0 only in A, 1 only in B"), "\(after.output)")
    }

    @Test(
        "stores that Apple's framework wrote come back from a server as they went (STO-06)",
        .enabled(if: PostgresServer.isAvailable && Fixtures.areAvailable, "no server, or no fixtures"),
        arguments: [
            "ddg-browserserviceskit/Tests/BookmarksTests/Resources/Bookmarks_V5.sqlite",
            "magicalrecord-recipes/Samples/iOS/Resources/RecipeData/Recipes.sqlite",
            "xcservercoredata/Tests/XCServerCoreData_1.2.0.sqlite",
        ])
    func storesThatApplesFrameworkWroteComeBackFromServerAsTheyWent(path: String) throws {
        let store = try Fixtures.copyOfStore("stores/" + path)
        let model = try Tool.run("inspect", store.path)
        guard model.code == 0, !model.errors.contains("keeps no model") else { return }
        let place = try PostgresServer.shared.get().makeURL("fixture").absoluteString
        let there = try Tool.run("copy", store.path, place)
        guard !there.errors.contains("keeps no model") else { return }
        #expect(there.code == 0, "\(there.errors)")
        let back = store.deletingLastPathComponent().appendingPathComponent("back.sqlite").path
        let home = try Tool.run("copy", place, back)
        #expect(home.code == 0, "\(home.errors)")
        for copy in [place, back] {
            let compared = try Tool.run("compare", store.path, copy, "--by", "id", "--values")
            #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
        }
    }

    @Test(
        "a copy killed at any round trip goes on, cannot be opened before, and is the store in the end (STO-06)",
        .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), arguments: [false, true])
    func copyKilledAtAnyRoundTripGoes(isBack: Bool) throws {
        let (gallery, server) = (try Gallery(filling: false), try PostgresServer.shared.get())
        let copy = try KilledCopy(gallery, server, isBack: isBack)
        try copy.fill()
        let partial = try copy.killAtEveryRoundTrip()
        // Otherwise no kill met the rows, and the test says nothing.
        #expect(partial >= 2, "the copy was ended \(partial) times between its rows")
        let finished = try gallery.run("copy", copy.source, copy.target)
        #expect(finished.code == 0 || finished.errors.contains("already"), "\(finished.errors)")
        let compared = try gallery.run("compare", gallery.store.path, copy.target, "--by", "id", "--values")
        #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
        #expect(!FileManager.default.fileExists(atPath: copy.target + ".unfinished"))
    }

    @Test(
        "an unfinished copy goes on only with what it was begun with (STO-06)",
        .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
    func changedSource() throws {
        let gallery = try Gallery()
        let server = try PostgresServer.shared.get().makeURL("changed").absoluteString
        #expect(try gallery.run("copy", gallery.store.path, server).code == 0)
        let target = gallery.file("Copy.sqlite").path
        // A file of that name that was made by hand: begun with another state of the source.
        let draft = gallery.file("Copy.sqlite.unfinished")
        try FileManager.default.copyItem(at: gallery.store, to: draft)
        try Database.change(
            draft, "DELETE FROM Z_METADATA", "CREATE TABLE Z_COPY (Z_NAME TEXT, Z_STATE TEXT, Z_PLACE TEXT)",
            "INSERT INTO Z_COPY VALUES ('elsewhere', 'x', '0')")
        expectRefusal(try Tool.run("inspect", draft.path), containing: "an unfinished copy of 'elsewhere'")
        let other = try gallery.run("copy", server, target)
        expectRefusal(other, containing: "unfinished copy", "--restart")
        let restarted = try gallery.run("copy", server, target, "--restart")
        #expect(restarted.code == 0, "\(restarted.errors)")
        #expect(try gallery.run("compare", gallery.store.path, target, "--by", "id", "--values").code == 0)
    }

    @Test(
        "values that SQLite cannot hold are all listed before the first row, and rounded where that is asked for (STO-06)",
        arguments: kinds.filter { $0 != "sqlite" })
    func refusedValues(kind: String) throws {
        let gallery = try Gallery()
        let source = try Self.place(kind, "exact", gallery.folder.url)
        #expect(try gallery.run("copy", gallery.store.path, source).code == 0)
        let set = try gallery.run(
            "set", source, "Work", "price=1234567890.123456789012345", "--where", "code == 'W1'")
        #expect(set.code == 0, "\(set.errors)")
        let line = #"{"entity":"Work","code":"W2","real":"NaN"}"#
        let other = try gallery.run("import", source, "-", "--match", "code", input: line)
        #expect(other.code == 0, "\(other.errors)")
        let target = gallery.file("Rounded.sqlite")
        let refused = try gallery.run("copy", source, target.path)
        #expect(refused.code == 1 && refused.errors.contains("cannot hold 2 values"), "\(refused.errors)")
        #expect(
            refused.errors.contains("price = 1234567890.123456789012345: SQLite keeps 15 digits"), "\(refused.errors)")
        #expect(refused.errors.contains("real = nan: SQLite has no NaN"), "\(refused.errors)")
        for name in [target.path, target.path + ".unfinished"] {
            #expect(!FileManager.default.fileExists(atPath: name))
        }
        let rounded = try gallery.run("copy", source, target.path, "--lossy")
        #expect(rounded.code == 0 && rounded.errors.contains("price = "), "\(rounded.errors)")
        #expect(try Database.text(target, "SELECT ZPRICE FROM ZWORK WHERE ZCODE = 'W1'") == "1234567890.12346")
        #expect(try Database.text(target, "SELECT ZREAL IS NULL FROM ZWORK WHERE ZCODE = 'W2'") == "1")
    }
}
