import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing
import VersionSketches

/// Migrations to older versions, without and with what they drop kept.
@Suite struct BackwardMigrationTests {
    @Test("version 3 opens under version 1: common data kept, the rest dropped (MIG-16)")
    func commonDataIsKept() throws {
        func version(_ number: Int) -> NSManagedObjectModel {
            MigrationScene.model { temporary in
                temporary.entity(number == 1 ? "Event" : "Occurrence", ["title": .stringAttributeType])
                if number > 1 { temporary["Occurrence"].renamingIdentifier = "Event" }
                guard number > 2 else { return }
                temporary["Occurrence"].properties += LightweightMigrationTests.attributes([
                    "place": .stringAttributeType
                ])
                temporary.entity("Guest", ["name": .stringAttributeType])
                temporary.relationships("Occurrence.guests*", "Guest.occurrences*")
            }
        }
        let scene = try MigrationScene(version(3)) { context in
            let event = context.insert("Occurrence", ["title": "Party", "place": "Berlin"])
            event.mutableSetValue(forKey: "guests").add(context.insert("Guest", ["name": "Ada"]))
        }
        let titles = try scene.with(version(1)) { context in
            try context.all("Event").map { $0.value(forKey: "title") as? String }
        }
        #expect(titles == ["Party"])
        try scene.with(version(3)) { context in
            let events = try context.all("Occurrence")
            #expect(events.map { $0.value(forKey: "place") as? String } == [nil])
            #expect(try context.all("Guest").count == 0)
        }
    }

    @Test(
        "with kept values, going to another version and back loses nothing (MIG-16)",
        arguments: TestSeed.sequences(25, exhaustive: 1000))
    func backAndForth(seed: UInt64) throws {
        var edits = SketchEdits(seed: seed)
        let old = edits.firstVersion()
        let new = edits.edit(old)
        let note = "seed \(seed): \(edits.log.joined(separator: "; "))"
        let scene = try MigrationScene(old.model()) { SketchData.fill($0, old, &edits) }
        scene.options[CoreDataMigrationKeepsValuesOption] = true
        let before = try scene.with(old.model(), options: [:]) { try SketchData.read($0, old) }
        do {
            try scene.with(new.model()) { _ in }
            try scene.with(old.model()) { _ in }
        } catch let error as NSError
            where [NSMigrationError, NSMigrationMissingMappingModelError, NSMigrationConstraintViolationError]
            .contains(error.code)
        {
            // What cannot be inferred one way or the other, or is there twice, is refused, which other tests look at.
            return
        }
        let after = try scene.with(old.model(), options: [:]) { try SketchData.read($0, old) }
        let differences = after.unordered.differences(from: before.filling(of: old, through: new).unordered)
        #expect(differences.isEmpty, "\(note)")
        #expect(try scene.value("PRAGMA integrity_check")?.text == "ok")
    }

    @Test("what is kept comes back to rows that are still there, and new rows are as they are (MIG-16)")
    func rowsChangeMeanwhile() throws {
        let full = MigrationScene.model {
            $0.entity("Note", ["title": .stringAttributeType, "body": .stringAttributeType])
        }
        let short = MigrationScene.model { $0.entity("Note", ["title": .stringAttributeType]) }
        let scene = try MigrationScene(full) { context in
            for name in ["a", "b"] { context.insert("Note", ["title": name, "body": "body \(name)"]) }
        }
        scene.options[CoreDataMigrationKeepsValuesOption] = true
        try scene.with(short) { context in
            context.delete(try #require(try context.all("Note", sortedBy: "title").first))
            context.insert("Note", ["title": "c"])
            try context.save()
        }
        try scene.with(full) { context in
            let notes = try context.all("Note", sortedBy: "title")
            #expect(notes.map { $0.value(forKey: "title") as? String } == ["b", "c"])
            #expect(notes.map { $0.value(forKey: "body") as? String } == ["body b", nil])
        }
        #expect(try scene.value("SELECT count(*) FROM OpenCoreDataKeptValues")?.integer == 0)
    }
}
