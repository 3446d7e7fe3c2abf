import CoreData
import StoreContract
import TestBasics
import TestServers
import Testing
import VersionSketches

/// Inference on a server beside a naive reference: random versions, random changes, random data.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(30)))
struct ServerMigrationRandomTests {
    @Test(
        "an inferred migration on a server is right or refused, never wrong (MIG-02)",
        arguments: TestSeed.sequences(20, exhaustive: 1000))
    func inferenceIsNeverWrong(seed: UInt64) throws {
        var edits = SketchEdits(seed: seed)
        let old = edits.firstVersion()
        let new = edits.edit(old)
        let note = "seed \(seed): \(edits.log.joined(separator: "; "))"
        let scene = try ServerScene(old.model(), options: [NSPersistentHistoryTrackingKey: true]) {
            SketchData.fill($0, old, &edits)
        }
        let before = try scene.with(old.model(), options: [:]) { try SketchData.read($0, old) }
        let (shape, epoch) = (try scene.shape(), try scene.epoch)
        let after: SketchData
        do {
            after = try scene.with(new.model()) { try SketchData.read($0, new) }
        } catch let error as NSError
            where [NSMigrationError, NSMigrationMissingMappingModelError].contains(error.code)
        {
            #expect(try scene.shape() == shape && scene.epoch == epoch, "refused, but the store was touched: \(note)")
            #expect(try scene.with(old.model(), options: [:]) { try SketchData.read($0, old) } == before)
            return
        } catch let error as NSError where error.code == NSMigrationConstraintViolationError {
            #expect(before.migrated(from: old, to: new).hasCollision(in: new), "refused without reason: \(note)")
            #expect(try scene.shape() == shape && scene.epoch == epoch, "refused, but the store was touched: \(note)")
            #expect(try scene.with(old.model(), options: [:]) { try SketchData.read($0, old) } == before)
            return
        } catch {
            Issue.record("\(error) \(note)")
            return
        }
        let expected = before.migrated(from: old, to: new).comparable(old, new)
        #expect(!expected.hasCollision(in: new), "values that are there twice were let through: \(note)")
        #expect(after.comparable(old, new).differences(from: expected).isEmpty, "\(note)")
        if old.model().entityVersionHashesByName != new.model().entityVersionHashesByName {
            #expect(try scene.epoch != epoch)
            let fresh = try ServerScene(new.model(), options: [NSPersistentHistoryTrackingKey: true])
            #expect(try scene.shape() == fresh.shape(), "the tables are not those of a new store: \(note)")
        }
        // What is migrated can be worked with: keys go on, every entity can be inserted.
        try scene.with(new.model(), options: [NSPersistentHistoryTrackingKey: true]) { context in
            for (place, entity) in new.concrete.enumerated() {
                let object = context.insert(entity.name)
                for attribute in new.attributes(entity.id) {
                    object.setValue(SampleValue.value(1_001 + place, attribute.type), forKey: attribute.name)
                }
            }
            try context.save()
        }
    }

    @Test(
        "with kept values, going to another version on a server and back loses nothing (MIG-16)",
        arguments: TestSeed.sequences(20, exhaustive: 1000))
    func backAndForth(seed: UInt64) throws {
        var edits = SketchEdits(seed: seed)
        let old = edits.firstVersion()
        let new = edits.edit(old)
        let note = "seed \(seed): \(edits.log.joined(separator: "; "))"
        let scene = try ServerScene(old.model()) { SketchData.fill($0, old, &edits) }
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
    }
}
