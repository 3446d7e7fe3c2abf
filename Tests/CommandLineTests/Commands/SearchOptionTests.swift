import CoreData
import StoreContract
import Testing

/// `--search` of `fetch` and `explain`, and the order by rank.
@Suite struct SearchOptionTests {
    /// A store of notes beside its model.
    private struct Notes {
        let folder: URL
        var store: URL { folder.appendingPathComponent("Notes.sqlite") }
        var package: URL { folder.appendingPathComponent("Notes.xcdatamodel") }

        init(isMarked: Bool) throws {
            folder = try Scratch.folder()
            try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
            try Data(Self.source(isMarked).utf8).write(to: package.appendingPathComponent("contents"))
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: try NSManagedObjectModel(source: Data(Self.source(isMarked).utf8)))
            let made = try coordinator.addPersistentStore(type: .sqlite, at: store)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            let texts = [
                ("Data once among several words", "hidden"), ("Swift", "data"), ("DATA data", "hidden"),
                ("Swift data", "hidden"),
            ]
            for (title, plain) in texts { context.insert("Note", ["title": title, "plain": plain]) }
            try context.save()
            try coordinator.remove(made)
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }

        func run(_ arguments: String...) throws -> Tool.Outcome {
            try Tool.run([arguments[0], store.path, "Note", "--model", package.path] + arguments.dropFirst())
        }

        func titles(_ arguments: String...) throws -> [String] {
            let outcome = try Tool.run(
                ["fetch", store.path, "Note", "--model", package.path, "--format", "json", "--keys", "title"]
                    + arguments)
            #expect(outcome.code == 0, "\(outcome.errors)")
            let objects: [[String: Any]] = try outcome.json()
            return objects.compactMap { ($0["attributes"] as? [String: Any])?["title"] as? String }
        }

        private static func source(_ isMarked: Bool) -> String {
            let mark = "<userInfo><entry key=\"CoreDataSearchIndex\" value=\"YES\"/></userInfo>"
            return """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
                systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
                userDefinedModelVersionIdentifier="">
                <entity name="Note">
                <attribute name="title" optional="YES" attributeType="String">\(isMarked ? mark : "")</attribute>
                <attribute name="plain" optional="YES" attributeType="String"/>
                </entity>
                </model>
                """
        }
    }

    @Test func searchFindsWordsOfMarkedAttributes() throws {
        let notes = try Notes(isMarked: true)
        defer { notes.remove() }
        #expect(try notes.titles("--search", "data") == ["Data once among several words", "DATA data", "Swift data"])
        #expect(try notes.titles("--search", "dätà SWIFT") == ["Swift data"])
        #expect(try notes.titles("--search", "hidden").isEmpty)
        #expect(try notes.titles("--search", "data", "--where", "title BEGINSWITH 'S'") == ["Swift data"])
        #expect(try notes.run("fetch", "--search", "data", "--count").output.contains("3"))
    }

    @Test func searchFindsWordsOfAllTextsWhereNoneIsMarked() throws {
        let notes = try Notes(isMarked: false)
        defer { notes.remove() }
        #expect(try notes.titles("--search", "hidden").count == 3)
        #expect(try notes.titles("--search", "data", "--sort", "rank").first == "DATA data")
    }

    @Test func rankSortsTheBestFirst() throws {
        let notes = try Notes(isMarked: true)
        defer { notes.remove() }
        let best = ["DATA data", "Swift data", "Data once among several words"]
        #expect(try notes.titles("--search", "data", "--sort", "rank") == best)
        #expect(try notes.titles("--search", "data", "--sort", "rank", "--limit", "2") == Array(best.prefix(2)))
        #expect(try notes.titles("--search", "data", "--sort", "-rank") == best.reversed())
    }

    @Test func rankNeedsASearch() throws {
        let notes = try Notes(isMarked: true)
        defer { notes.remove() }
        let outcome = try notes.run("fetch", "--sort", "rank")
        #expect(outcome.code != 0)
        #expect(outcome.errors.contains("only the results of a search have a rank"))
        #expect(outcome.errors.contains("--search"))
    }

    @Test func explanationShowsTheIndex() throws {
        let notes = try Notes(isMarked: true)
        defer { notes.remove() }
        let plain = try notes.run("explain", "--search", "data")
        #expect(plain.code == 0 && plain.output.contains("search.words0"), "\(plain.output)\(plain.errors)")
        let ranked = try notes.run("explain", "--search", "data", "--sort", "rank", "--limit", "2")
        #expect(ranked.output.contains("coredata_indexed_rank(words0) DESC"), "\(ranked.output)\(ranked.errors)")
    }
}
