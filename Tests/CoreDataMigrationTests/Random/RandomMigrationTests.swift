import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing
import VersionSketches

/// Inference beside a naive reference: random versions, random changes, random data.
@Suite struct RandomMigrationTests {
    @Test(
        "an inferred migration is right or refused, never wrong (MIG-02)",
        arguments: TestSeed.sequences(75, exhaustive: 1000))
    func inferenceIsNeverWrong(seed: UInt64) throws {
        var edits = SketchEdits(seed: seed)
        let old = edits.firstVersion()
        let new = edits.edit(old)
        let note = "seed \(seed): \(edits.log.joined(separator: "; "))"
        let scene = try MigrationScene(old.model()) { SketchData.fill($0, old, &edits) }
        let before = try scene.with(old.model(), options: [:]) { try SketchData.read($0, old) }
        let bytes = scene.bytes
        let after: SketchData
        do {
            after = try scene.with(new.model()) { try SketchData.read($0, new) }
        } catch let error as NSError
            where [NSMigrationError, NSMigrationMissingMappingModelError].contains(error.code)
        {
            #expect(scene.bytes == bytes, "refused, but the store was touched: \(note)")
            #expect(try scene.with(old.model(), options: [:]) { try SketchData.read($0, old) } == before)
            return
        } catch let error as NSError where error.code == NSMigrationConstraintViolationError {
            #expect(before.migrated(from: old, to: new).hasCollision(in: new), "refused without reason: \(note)")
            #expect(scene.bytes == bytes, "refused, but the store was touched: \(note)")
            return
        } catch {
            Issue.record("\(error) \(note)")
            return
        }
        let expected = before.migrated(from: old, to: new).comparable(old, new)
        #expect(!expected.hasCollision(in: new), "values that are there twice were let through: \(note)")
        let differences = after.comparable(old, new).differences(from: expected)
        #expect(differences.isEmpty, "\(note)")
        #expect(try scene.value("PRAGMA integrity_check")?.text == "ok")
        // Indexes are no part of a version: where nothing else changes, nothing is migrated.
        if old.model().entityVersionHashesByName != new.model().entityVersionHashesByName {
            let others = "SELECT name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') ORDER BY name"
            let fresh = try MigrationScene(new.model()).rows(others)
            #expect(try scene.rows(others) == fresh, "indexes and triggers are not those of a new store: \(note)")
        }
        // What is migrated can be worked with: keys go on, every entity can be inserted.
        try scene.with(new.model(), options: [:]) { context in
            for (place, entity) in new.concrete.enumerated() {
                let object = context.insert(entity.name)
                for attribute in new.attributes(entity.id) {
                    object.setValue(SampleValue.value(1_001 + place, attribute.type), forKey: attribute.name)
                }
            }
            try context.save()
        }
    }
}
