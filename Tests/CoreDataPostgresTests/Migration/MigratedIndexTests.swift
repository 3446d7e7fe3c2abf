import CoreData
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres
@testable import CoreDataSQL

/// The indexes over expressions follow the model when a store is migrated, and look-ups go by them.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(5)))
struct MigratedIndexTests {
    /// A text `name` with an index; then `title` in its place; then `nick` has it instead; then both have, `title` being unique.
    ///
    /// - Parameter indexed: the texts with an index, where they are others; that makes no other version.
    private static func heroes(_ version: Int, indexed: [String]? = nil) -> NSManagedObjectModel {
        ServerScene.model { temporary in
            let name = version == 1 ? "name" : "title"
            temporary.entity(
                "Hero",
                [
                    name: .stringAttributeType, "nick": .stringAttributeType,
                    "new\(version)": .integer16AttributeType,
                ])
            if version == 2 { temporary.attribute("Hero.title").renamingIdentifier = "name" }
            let usual = [1: ["name"], 2: ["title"], 3: ["nick"], 4: ["title", "nick"]][version] ?? []
            temporary["Hero"].indexes = (indexed ?? usual).map { key in
                NSFetchIndexDescription(
                    name: "by_\(key)",
                    elements: [
                        NSFetchIndexElementDescription(
                            property: temporary.attribute("Hero.\(key)"), collationType: .binary)
                    ])
            }
            if version == 4 { temporary["Hero"].uniquenessConstraints = [["title"]] }
        }
    }

    private static func fill(_ context: NSManagedObjectContext) {
        for number in 0..<3_000 { context.insert("Hero", ["name": "Straße \(number)", "nick": "É \(number)"]) }
    }

    private func indexes(_ scene: ServerScene) throws -> [String] {
        try scene.ask(
            "SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid "
                + "WHERE x.indrelid = 'zhero'::regclass AND x.indexprs IS NOT NULL ORDER BY 1")
    }

    private func explain(_ stack: Stack, _ format: String) throws -> ServerExplanation {
        let store = try #require(stack.store as? BackedStore<PostgresStore>)
        return try store.withBackend { backend in
            let layout = try #require(backend.shape.layouts.layout(named: "Hero"))
            return try backend.explain(
                FetchQuery(binding: store.binding(for: layout), predicate: try NSPredicate(parsing: format)),
                isCarriedOut: true)
        }
    }

    /// Opens the store with a version, and sees that look-ups by some texts go by an index and find one object, by others too.
    private func check(_ scene: ServerScene, _ version: Int, served: [String], others: [String]) throws {
        let stack = try scene.open(Self.heroes(version))
        try scene.ask("ANALYZE zhero")
        for (keys, isServed) in [(served, true), (others, false)] {
            for key in keys {
                let (text, folded) = key == "nick" ? ("É 77", "e 77") : ("Straße 77", "STRASSE 77")
                for (format, ending) in [("\(key) == '\(text)'", ""), ("\(key) ==[cd] '\(folded)'", "_folded")] {
                    let found = try explain(stack, format)
                    #expect(found.outcome == .init(answered: 1, evaluated: 0), "\(version): \(format)")
                    let index = found.questions.last?.plan.indexes.first
                    #expect((index?.hasSuffix(ending) == true) == isServed, "\(version): \(format): \(index ?? "none")")
                    if isServed { #expect(try #require(found.examined) < 5, "\(version): \(format)") }
                }
            }
        }
        try stack.coordinator.remove(stack.store)
    }

    @Test(
        "indexes of folded texts and of beginnings follow attributes that are renamed, and indexes that come and go (MIG-15)"
    )
    func indexesOfFoldedTextsAndOfBeginningsFollowAttributes() throws {
        let scene = try ServerScene(Self.heroes(1)) { Self.fill($0) }
        #expect(try indexes(scene) == ["z_hero_by_name", "z_hero_name", "zhero_zname_folded"])
        try check(scene, 1, served: ["name"], others: ["nick"])
        try check(scene, 2, served: ["title"], others: ["nick"])
        #expect(try indexes(scene) == ["z_hero_by_title", "z_hero_title", "zhero_ztitle_folded"])
        // The same version with another index: who opens it makes what is cheap, which the next migration finds.
        try scene.with(Self.heroes(2, indexed: ["nick"])) { _ in }
        #expect(try indexes(scene) == ["z_hero_by_title", "z_hero_title", "zhero_znick_folded", "zhero_ztitle_folded"])
        try check(scene, 3, served: ["nick"], others: ["title"])
        #expect(try indexes(scene) == ["z_hero_by_nick", "z_hero_nick", "zhero_znick_folded"])
        try check(scene, 4, served: ["title", "nick"], others: [])
        let both = ["by_nick", "by_title", "nick", "title", "unique_title"].map { "z_hero_\($0)" }
        #expect(try indexes(scene) == both + ["zhero_znick_folded", "zhero_ztitle_folded"])
        // What is found are the rows that are there now.
        try scene.with(Self.heroes(4)) { context in
            let hero = try #require(try context.all("Hero", NSPredicate(format: "title ==[c] 'STRASSE 5'")).first)
            hero.setValue("Gasse", forKey: "title")
            try context.save()
            for (format, count) in [
                ("title ==[c] 'strasse 5'", 0), ("title ==[cd] 'GASSE'", 1), ("title == 'Gasse'", 1),
            ] {
                #expect(try context.all("Hero", NSPredicate(format: format)).count == count, "\(format)")
            }
        }
    }

    @Test("a migration makes indexes again that an earlier version has made over columns (MIG-15)")
    func migrationRebuildsIndexesOfEarlierVersion() throws {
        let scene = try ServerScene(Self.heroes(1)) { Self.fill($0) }
        for index in ["z_hero_by_name", "z_hero_name"] {
            try scene.ask("DROP INDEX \(index)")
            try scene.ask("CREATE INDEX \(index) ON zhero (zname ASC NULLS FIRST)")
        }
        try scene.ask("DROP INDEX zhero_zname_folded")
        #expect(try indexes(scene) == [])
        try check(scene, 2, served: ["title"], others: ["nick"])
        #expect(try indexes(scene) == ["z_hero_by_title", "z_hero_title", "zhero_ztitle_folded"])
        try scene.with(Self.heroes(2)) { context in
            var random = SeededRandom(seed: 1)
            context.insert("Hero", ["title": LongValueScene.text(3_000, &random)])
            try context.save()
        }
    }
}
