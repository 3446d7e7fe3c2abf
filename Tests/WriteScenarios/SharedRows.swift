import CoreData
import StoreContract
import TestBasics

/// Rows that several processes count up at once: one of each process's own, and one that all share.
package enum SharedRows {
    package static let shared = 0

    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Row", ["number": .integer64AttributeType, "count": .integer64AttributeType])
        return builder.model
    }

    /// Counts a process's own row and the shared one up, by one save each time; a conflict is refreshed and retried.
    ///
    /// Gives the number of conflicts.
    package static func count(up own: Int, saves: Int, in context: NSManagedObjectContext) throws -> Int {
        let rows = try [own, shared].map { try row($0, context) }
        var conflicts = 0
        var random = SeededRandom(seed: TestSeed.first &+ UInt64(own))
        for _ in 0..<saves {
            conflicts += try saveOnce(rows, context)
            // The process that waits for the lock looks for it only now and then: without a rest it would go last.
            usleep(UInt32(random.next(below: 4_000)))
        }
        return conflicts
    }

    private static func saveOnce(_ rows: [NSManagedObject], _ context: NSManagedObjectContext) throws -> Int {
        var conflicts = 0
        while true {
            for row in rows { row.setValue(count(row) + 1, forKey: "count") }
            do {
                try context.save()
                return conflicts
            } catch let error as NSError {
                guard error.code == NSManagedObjectMergeError else { throw error }
                conflicts += 1
                for row in rows { context.refresh(row, mergeChanges: false) }
            }
        }
    }

    package static func row(_ number: Int, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        guard let row = try context.all("Row", NSPredicate(format: "number == %@", number)).first else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        return row
    }

    package static func count(_ row: NSManagedObject) -> Int { row.value(forKey: "count") as? Int ?? -1 }
}
