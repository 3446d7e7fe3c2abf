import CoreData
import SQLiteKit
import TestBasics
import Testing

@Suite(
    "Stores made by Apple's framework, written",
    .enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct WritingTests {
    @Test(
        "what a save does not touch stays as it was (STO-26)",
        arguments: TestSeed.sample(FixtureStore.withEachModel, step: 2))
    func untouchedRowsStay(_ fixture: FixtureStore) throws {
        Filling.registerTransformers()
        let open = try fixture.openForWriting()
        let before = try RawStore(open.url, open.model)
        let schemaBefore = try before.schema()
        before.connection.close()
        try expectSteps(open)
        try expectDeletions(open)

        let after = try RawStore(open.url, open.model)
        #expect(try after.schema() == schemaBefore)
        #expect(try after.connection.integrityFaults() == [])
        #expect(try after.connection.pragma("journal_mode") == .text("wal"))
        try expectRecordedKeys(after, open.model)
    }

    /// Inserts, updates, links, takes apart and moves, with a save after each.
    private func expectSteps(_ open: OpenStore) throws {
        var edit = Edit(open)
        let other = try OpenStore(open.url, model: open.model)
        func expectSaved() throws -> SavedStep {
            let step = try SavedStep(open)
            step.expectTheRestUntouched()
            other.context.refreshAllObjects()
            try step.expectSameValues(in: other)
            return step
        }
        edit.insert()
        try expectSaved().expectOldPlacesKept()
        try edit.update()
        #expect(try expectSaved().movedRows.isEmpty)
        try edit.relate()
        try expectSaved().expectOldPlacesKept()
        try edit.unrelate()
        try expectSaved().expectOldPlacesKept()
        let moved = try edit.move()
        #expect(try expectSaved().movedRows.isEmpty == (moved == 0))
        try other.close()
    }

    /// Deletes one object of each entity that has any, in a store as it was; one that others cannot do without is left.
    private func expectDeletions(_ open: OpenStore) throws {
        let edit = Edit(open)
        for entity in open.model.entities where !entity.isAbstract {
            for number in 0..<5 {
                guard try edit.delete(entity, number) else { break }
                do {
                    let step = try SavedStep(open)
                    step.expectTheRestUntouched()
                    #expect(!step.deleted.isEmpty)
                    let other = try OpenStore(open.url, model: open.model)
                    try step.expectSameValues(in: other)
                    try other.close()
                    break
                } catch let error as NSError {
                    // A rule of the model: the delete rule Deny, or a mandatory relationship of another object.
                    #expect((1550..<1700).contains(error.code), "\(error)")
                    open.context.rollback()
                }
            }
        }
    }

    /// `Z_PRIMARYKEY` remembers at least the greatest key of each table, in the row of its root entity.
    private func expectRecordedKeys(_ after: RawStore, _ model: NSManagedObjectModel) throws {
        for entity in model.entities where entity.superentity == nil {
            let greatest = try after.integers("SELECT ifnull(max(Z_PK), 0) FROM \(RawStore.table(entity))")[0]
            let number = try after.number(entity)
            let recorded = try after.integers("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)")[0]
            #expect(recorded >= greatest)
        }
        let subentities = try after.integers("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_SUPER > 0")
        #expect(subentities.allSatisfy { $0 == 0 })
    }

    @Test("an update raises Z_OPT by one; an insertion begins at one; keys follow Z_MAX (STO-18)")
    func versionsAndKeys() throws {
        let open = try FixtureStore.named("SampleModel_V1.sqlite").open()
        let panda = try #require(try open.fetch("Car").first { $0.key == 1 })
        panda.setValue("Punto", forKey: "model")
        let car = NSEntityDescription.insertNewObject(forEntityName: "SportCar", into: open.context)
        car.setValue("Lotus", forKey: "maker")
        car.setValue("L1", forKey: "numberPlate")
        try open.context.save()
        #expect(car.key == 126)
        panda.setValue("Uno", forKey: "model")
        try open.context.save()
        let raw = try RawStore(open.url, open.model)
        #expect(
            try raw.connection.rows("SELECT Z_ENT, Z_OPT, ZMODEL FROM ZCAR WHERE Z_PK = 1")
                == [[.integer(1), .integer(3), .text("Uno")]])
        #expect(
            try raw.connection.rows("SELECT Z_ENT, Z_OPT, ZMAKER, ZOWNER FROM ZCAR WHERE Z_PK = 126")
                == [[.integer(2), .integer(1), .text("Lotus"), .null]])
        #expect(
            try raw.connection.rows("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
                == [[1, 126], [2, 0], [3, 0], [4, 20]])
    }

    @Test(
        "a store with persistent history is read whole, and not written",
        arguments: ["SampleModel2_V1.sqlite", "SampleModel2_V2.sqlite"])
    func storesWithHistoryAreNotWritten(_ name: String) throws {
        Filling.registerTransformers()
        let open = try FixtureStore.named(name).open()
        #expect(open.store.isReadOnly)
        let book = try #require(try open.fetch("Book").first)
        let before = try Footprint(open.url)
        Filling.fill(book, seed: 1)
        let error = #expect(throws: NSError.self) { try open.context.save() }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.localizedFailureReason?.contains("persistent history") == true)
        #expect(try Footprint(open.url).contents == before.contents)
    }

    @Test("the triggers that count pages run and their outcome is read again (MOD-25)")
    func derivedCountsFollow() throws {
        Filling.registerTransformers()
        let open = try FixtureStore.named("SampleModel2_V2.sqlite").openForWriting()
        #expect(!open.store.isReadOnly)
        let book = try #require(try open.fetch("Book").first)
        let before = try #require(book.value(forKey: "pagesCount") as? NSNumber).intValue
        #expect(before == book.members("pages").count)
        for number in 0..<3 {
            let page = NSEntityDescription.insertNewObject(forEntityName: "Page", into: open.context)
            Filling.fill(page, seed: number)
            page.setValue(book, forKey: "book")
        }
        try open.context.save()
        #expect((book.value(forKey: "pagesCount") as? NSNumber)?.intValue == before + 3)
        open.context.delete(try #require(book.members("pages").first))
        try open.context.save()
        #expect((book.value(forKey: "pagesCount") as? NSNumber)?.intValue == before + 2)
        let raw = try RawStore(open.url, open.model)
        #expect(try raw.integers("SELECT ZPAGESCOUNT FROM ZBOOK WHERE Z_PK = \(book.key)") == [Int64(before + 2)])
        #expect(try raw.integers("SELECT count(*) FROM ZPAGE WHERE ZBOOK = \(book.key)") == [Int64(before + 2)])
    }

    @Test("an ordered relationship is written in its order, both kinds (REL-07)")
    func orderIsWritten() throws {
        let open = try FixtureStore.named("Bookmarks_V5.sqlite").open()
        func entity(_ key: Int64, _ open: OpenStore) throws -> NSManagedObject {
            try #require(try open.fetch("BookmarkEntity").first { $0.key == key })
        }
        let root = try entity(8, open)
        let favorites = try entity(6, open)
        let moved = NSMutableOrderedSet(array: root.members("children"))
        moved.moveObjects(at: IndexSet(integer: 4), to: 0)
        root.setValue(moved, forKey: "children")
        let added = NSMutableOrderedSet(array: favorites.members("favorites").reversed())
        added.insert(try entity(5, open), at: 2)
        favorites.setValue(added, forKey: "favorites")
        try open.context.save()

        let again = try open.reopened()
        #expect(try entity(8, again).members("children").map(\.key) == [3, 5, 10, 4, 1])
        #expect(try entity(6, again).members("favorites").map(\.key) == [10, 2, 5, 9, 1, 3])
        let raw = try RawStore(again.url, again.model)
        let places = try raw.integers(
            "SELECT Z_FOK_PARENT FROM ZBOOKMARKENTITY WHERE ZPARENT = 8 ORDER BY Z_FOK_PARENT")
        #expect(Set(places).count == 5)
        #expect(places.allSatisfy { $0 > 0 })
    }

    @Test("adding at the end writes one place; equal, missing and negative places are renumbered (HAZ-22)")
    func addingAtTheEndWritesOnePlace() throws {
        let fixture = try FixtureStore.named("Bookmarks_V5.sqlite")
        let open = try fixture.open()
        let bookmark = NSEntityDescription.insertNewObject(forEntityName: "BookmarkEntity", into: open.context)
        Filling.fill(bookmark, seed: 1)
        let root = try #require(try open.fetch("BookmarkEntity").first { $0.key == 8 })
        bookmark.setValue(root, forKey: "parent")
        try open.context.save()
        let raw = try RawStore(open.url, open.model)
        #expect(
            try raw.integers("SELECT Z_FOK_PARENT FROM ZBOOKMARKENTITY WHERE ZPARENT = 8 ORDER BY Z_FOK_PARENT")
                == [2048, 3072, 4096, 5120, 6144, 7168])

        let damaged = try fixture.copy()
        let connection = try Connection.open(damaged.path)
        try connection.execute("UPDATE ZBOOKMARKENTITY SET Z_FOK_PARENT = -5 WHERE Z_PK = 1")
        try connection.execute("UPDATE ZBOOKMARKENTITY SET Z_FOK_PARENT = NULL WHERE Z_PK = 3")
        try connection.execute("UPDATE ZBOOKMARKENTITY SET Z_FOK_PARENT = 4096 WHERE Z_PK = 5")
        connection.close()
        let repaired = try OpenStore(damaged, model: fixture.model(at: damaged))
        let owner = try #require(try repaired.fetch("BookmarkEntity").first { $0.key == 8 })
        let order = owner.members("children").map(\.key)
        #expect(order == [3, 1, 10, 4, 5])
        owner.setValue(NSOrderedSet(array: owner.members("children").reversed()), forKey: "children")
        try repaired.context.save()
        let places = try RawStore(damaged, repaired.model).integers(
            "SELECT Z_PK FROM ZBOOKMARKENTITY WHERE ZPARENT = 8 ORDER BY Z_FOK_PARENT")
        #expect(places == order.reversed())
    }
}
