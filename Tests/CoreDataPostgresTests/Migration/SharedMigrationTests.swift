import CoreData
import CoreDataPostgres
import Foundation
import PostgresKit
import StoreContract
import Synchronization
import TestBasics
import TestServers
import Testing

/// Several programs on a store that is migrated: those that want to, and those that still have the former version.
@Suite(.enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"), .timeLimit(.minutes(10)))
struct SharedMigrationTests {
    /// Two texts, of which the second version has exchanged the names: every question of before is still one that can be asked.
    private static func things(_ version: Int) -> NSManagedObjectModel {
        ServerScene.model { temporary in
            temporary.entity("Thing", ["left": .stringAttributeType, "right": .stringAttributeType])
            guard version == 2 else { return }
            // Renaming identifiers are no part of a version's hash.
            temporary.entity("Place", ["name": .stringAttributeType])
            temporary.attribute("Thing.left").renamingIdentifier = "right"
            temporary.attribute("Thing.right").renamingIdentifier = "left"
        }
    }

    private static func scene(_ count: Int = 20) throws -> ServerScene {
        try ServerScene(things(1)) { context in
            for number in 0..<count { context.insert("Thing", ["left": "l\(number)", "right": "r\(number)"]) }
        }
    }

    private static func isRefusal(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreIncompatibleVersionHashError
    }

    @Test("of eight programs that start at once on a store of before one migrates, and all find it done (HAZ-61)")
    func manyOpeners() throws {
        let scene = try Self.scene()
        try scene.ask("CREATE TABLE \(scene.schema).log (what text)")
        let function = "\(scene.schema).note"
        try scene.ask(
            "CREATE FUNCTION \(function)() RETURNS event_trigger LANGUAGE plpgsql AS $f$ BEGIN "
                + "INSERT INTO \(scene.schema).log SELECT object_identity FROM pg_event_trigger_ddl_commands() "
                + "WHERE object_identity LIKE '\(scene.schema).z_metadata.%'; END $f$")
        try scene.ask(
            "CREATE EVENT TRIGGER note_\(scene.schema) ON ddl_command_end EXECUTE FUNCTION \(function)()")
        defer { _ = try? scene.ask("DROP EVENT TRIGGER note_\(scene.schema)") }
        let results = Mutex<[Result<[String], any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let result = Result {
                try scene.with(Self.things(2)) { context in
                    try context.all("Thing").compactMap { $0.value(forKey: "right") as? String }
                }
            }
            results.withLock { $0.append(result) }
        }
        for result in results.withLock({ $0 }) {
            let values = try result.get()
            #expect(values.count == 20 && values.allSatisfy { $0.hasPrefix("l") })
        }
        #expect(try scene.ask("SELECT what FROM log").count == 1)
    }

    /// A context that the thread of a program uses, on its queue.
    private struct Program: @unchecked Sendable {
        let context: NSManagedObjectContext
    }

    @Test(
        "programs of the former version read and save rightly until the migration, and get 134100 from then on (HAZ-61)"
    )
    func oldPrograms() throws {
        let scene = try Self.scene()
        let stacks = try (0..<3).map { _ in try scene.open(Self.things(1), options: [:]) }
        let isMigrated = Mutex(false)
        let wrong = Mutex<[String]>([])
        let refusals = Mutex(0)
        let answers = Mutex(0)
        let saved = Mutex(0)
        let group = DispatchGroup()
        for (number, stack) in stacks.enumerated() {
            let program = Program(context: stack.newContext())
            DispatchQueue.global().async(group: group) {
                let context = program.context
                var last = false
                var round = 0
                while !last {
                    last = isMigrated.withLock { $0 }
                    round += 1
                    do {
                        try context.performAndWait {
                            context.reset()
                            if number == 0 {
                                context.insert("Thing", ["left": "l new", "right": "r new"])
                                try context.save()
                                saved.withLock { $0 += 1 }
                            }
                            for thing in try context.all("Thing") {
                                let (left, right) = (thing.value(forKey: "left"), thing.value(forKey: "right"))
                                if (left as? String)?.hasPrefix("l") != true
                                    || (right as? String)?.hasPrefix("r") != true
                                {
                                    wrong.withLock { $0.append("\(left ?? "nil") \(right ?? "nil")") }
                                }
                            }
                        }
                        answers.withLock { $0 += 1 }
                        if last { wrong.withLock { $0.append("an answer after the migration") } }
                    } catch {
                        if Self.isRefusal(error) {
                            refusals.withLock { $0 += 1 }
                        } else {
                            wrong.withLock { $0.append("\(error)") }
                        }
                    }
                }
            }
        }
        while answers.withLock({ $0 }) < 30, wrong.withLock({ $0.isEmpty }) { usleep(1_000) }
        let count = try scene.with(Self.things(2)) { context in
            isMigrated.withLock { $0 = true }
            group.wait()
            return try context.all("Thing").count
        }
        #expect(wrong.withLock { $0.prefix(5) } == [])
        #expect(refusals.withLock { $0 } >= 3)
        #expect(count == 20 + saved.withLock { $0 }, "every save that succeeded before is there")
        for stack in stacks {
            // Whatever is asked, and also what is asked again.
            for _ in 0..<2 {
                expectError(134100) {
                    _ = try stack.newContext().count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing"))
                }
            }
            let context = stack.newContext()
            context.insert("Thing", ["left": "l late"])
            let error = expectError(134100) { try context.save() }
            #expect(error?.localizedDescription.contains("migrated") == true)
            #expect(context.insertedObjects.count == 1)
        }
        try scene.with(Self.things(2), options: [:]) { context in
            let values = try context.all("Thing").compactMap { $0.value(forKey: "left") as? String }
            #expect(values.allSatisfy { $0.hasPrefix("r") })
        }
    }

    @Test(
        "a state that is kept of the former version holds a migration up, which says who it is, and then goes on (HAZ-61)"
    )
    func keptState() throws {
        let scene = try Self.scene()
        let stack = try scene.open(Self.things(1), options: [:])
        let pinned = stack.newContext()
        try pinned.setQueryGenerationFrom(.current)
        #expect(try pinned.all("Thing").count == 20)
        var options = ServerScene.automatic
        options[NSPersistentStoreTimeoutOption] = 1
        let error = expectError(134110) { try scene.with(Self.things(2), options: options) { _ in } }
        #expect(error?.localizedDescription.contains("OpenCoreData") == true)
        #expect(try pinned.all("Thing").count == 20)
        try pinned.setQueryGenerationFrom(nil)
        #expect(try scene.with(Self.things(2), options: options) { try $0.all("Thing").count } == 20)
        expectError(134100) { _ = try pinned.all("Thing") }
        expectError(134100) {
            try pinned.setQueryGenerationFrom(.current)
            _ = try pinned.all("Thing")
        }
    }

    @Test(
        "a kept state that began before a migration it did not hold up fails rather than reading other tables (HAZ-61)")
    func staleSnapshot() throws {
        let scene = try Self.scene()
        let connection = try scene.connect()
        defer { connection.close() }
        _ = try connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        _ = try connection.query("SELECT 1")
        let epoch = try scene.epoch
        try scene.with(Self.things(2)) { _ in }
        let error = #expect(throws: PostgresError.self) {
            try connection.query("SELECT \(epoch) FROM \(scene.schema).z_metadata WHERE false")
        }
        #expect(error?.sqlState == "42703")
    }
}
