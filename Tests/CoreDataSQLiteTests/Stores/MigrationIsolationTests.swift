import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// A store is copied as it is at one moment, whoever else writes to it.
@Suite struct MigrationIsolationTests {
    private final class Attempts {
        var codes: [ResultCode?] = []
    }

    /// Writes to a store from another connection at each of its statements that reads heroes, while it is copied.
    private func attempts(_ stack: Stack) throws -> Attempts {
        let other = try Connection.open(stack.url.path)
        defer { other.close() }
        other.setBusyTimeout(.zero)
        let attempts = Attempts()
        let file = stack.file
        file.connection.trace = { text in
            guard text.hasPrefix("SELECT") && text.contains("ZHERO") else { return }
            do {
                try other.execute("INSERT INTO ZTEAM (Z_ENT, Z_OPT, ZNAME) SELECT Z_ENT, 1, 'late' FROM ZTEAM LIMIT 1")
                attempts.codes.append(nil)
            } catch let error as SQLiteError {
                attempts.codes.append(error.code.primary)
            } catch {}
        }
        defer { file.connection.trace = nil }
        let target = stack.url.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
        try stack.coordinator.migratePersistentStore(stack.store, to: target, type: .sqlite)
        return attempts
    }

    private func filled() throws -> Stack {
        let stack = try HeroModel.stack()
        let team = stack.context.insert("Team", ["name": "T"])
        for number in 1...3 { stack.context.insert("Hero", ["name": "\(number)", "teams": NSSet(object: team)]) }
        try stack.context.save()
        return stack
    }

    @Test("a store cannot be written between the queries of a copy (STO-27)")
    func othersWait() throws {
        let stack = try filled()
        let attempts = try attempts(stack)
        #expect(attempts.codes.count > 1)
        #expect(attempts.codes.allSatisfy { $0 == .busy }, "\(attempts.codes)")
        #expect(try stack.newContext().all("Team").count == 1)
    }

    @Test("a store that is only read is copied as it was at the first question (STO-27)")
    func readOnlySource() throws {
        let stack = try filled()
        let (url, model) = (stack.url, stack.model)
        let readOnly = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try readOnly.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSReadOnlyPersistentStoreOption: true]
        )
        let file = try #require(store.objects as? StoreFile)
        let writer = stack.newContext()
        file.connection.trace = { text in
            guard text.hasPrefix("SELECT") && text.contains("ZHERO") else { return }
            writer.insert("Team", ["name": "late"])
            try? writer.save()
        }
        let target = url.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
        try readOnly.migratePersistentStore(store, to: target, type: .sqlite)
        #expect(try stack.newContext().all("Team").count > 1)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = readOnly
        #expect(try context.all("Team").count == 1)
    }
}
