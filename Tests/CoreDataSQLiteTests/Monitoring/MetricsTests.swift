import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// The handler is one of the whole process, so each test runs in a process of its own.
@Suite struct MetricsTests {
    @Test("saves, fetches, rows, faults and statements are counted and timed, by store and entity")
    func workIsCounted() async {
        await #expect(processExitsWith: .success) {
            let stack = try HeroModel.stack()
            let metrics = MetricsLog()
            CoreDataMetrics.handler = metrics
            for number in 0..<3 { stack.context.insert("Hero", ["name": "\(number)"]) }
            try stack.context.save()
            #expect(metrics.count(.saves, ["db.namespace": "Test.sqlite"]) == 1)
            #expect(metrics.times(.save).count == 1 && metrics.count(.saveConflicts) == 0)

            // Another coordinator, whose row cache has nothing.
            let other = try Stack(stack.model, url: stack.url)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
            request.includesPropertyValues = false
            let heroes = try other.context.fetch(request)
            #expect(metrics.count(.fetches, ["db.collection.name": "Hero"]) == 1)
            #expect(metrics.times(.fetch).count == 1 && metrics.count(.faultsFired) == 0)
            #expect(heroes.first?.value(forKey: "name") != nil)
            #expect(metrics.count(.faultsFired, ["db.collection.name": "Hero", "db.namespace": "Test.sqlite"]) == 1)
            #expect(try other.context.count(for: request) == 3)
            #expect(metrics.count(.fetches) == 2)

            let statements = metrics.times(.statement, ["db.system.name": "sqlite", "db.namespace": "Test.sqlite"])
            #expect(statements.count > 3 && statements.allSatisfy { $0 >= .zero })
            #expect(metrics.count(.rowsRead, ["db.system.name": "sqlite"]) >= 6)
        }
    }

    @Test("a save to a parent counts as none, that of the parent as one")
    func savesToParentsAreNotCounted() async {
        await #expect(processExitsWith: .success) {
            let stack = try HeroModel.stack()
            let metrics = MetricsLog()
            CoreDataMetrics.handler = metrics
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = stack.context
            child.insert("Hero")
            try child.save()
            #expect(metrics.count(.saves) == 0)
            try stack.context.save()
            #expect(metrics.count(.saves) == 1)
        }
    }

    @Test("rows that others have changed, and unique values that are taken, count as conflicts")
    func conflictsAreCounted() async {
        await #expect(processExitsWith: .success) {
            let builder = ModelBuilder()
            builder.entity("Tag", ["name": .stringAttributeType, "use": .integer64AttributeType])
            builder["Tag"].uniquenessConstraints = [["name"]]
            let stack = try Stack(builder.model)
            stack.context.insert("Tag", ["name": "a", "use": 0])
            try stack.context.save()
            let metrics = MetricsLog()
            CoreDataMetrics.handler = metrics
            let other = try Stack(builder.model, url: stack.url)
            let tag = try #require(try other.context.all("Tag").first)
            try stack.context.all("Tag").first?.setValue(1, forKey: "use")
            try stack.context.save()
            tag.setValue(2, forKey: "use")
            #expect((try? other.context.save()) == nil)
            #expect(metrics.count(.saveConflicts, ["db.namespace": "Test.sqlite"]) == 1)
            let third = try Stack(builder.model, url: stack.url)
            third.context.insert("Tag", ["name": "a"])
            #expect((try? third.context.save()) == nil)
            #expect(metrics.count(.saveConflicts) == 2)
        }
    }

    @Test("a save that waits for another connection's lock counts one wait, and fails when its time is over")
    func lockWaitsAreCounted() async {
        await #expect(processExitsWith: .success) {
            let stack = try Stack(HeroModel.make(), options: [NSPersistentStoreTimeoutOption: 0.05])
            let metrics = MetricsLog()
            CoreDataMetrics.handler = metrics
            let other = try Connection.open(stack.url.path)
            try other.begin(.immediate)
            stack.context.insert("Hero")
            #expect((try? stack.context.save()) == nil)
            #expect(
                metrics.count(.busyWaits, ["db.namespace": "Test.sqlite", "coredata.wait.reason": "lock"]) >= 1)
            try other.rollBack()
            try stack.context.save()
            #expect(metrics.count(.saves) == 1)
        }
    }

    @Test("a pinned context has a reader in use until it lets go of it")
    func readerConnectionsAreCounted() async {
        await #expect(processExitsWith: .success) {
            let stack = try HeroModel.stack()
            let metrics = MetricsLog()
            CoreDataMetrics.handler = metrics
            let used = ["db.client.connection.state": "used", "db.client.connection.pool.name": "Test.sqlite"]
            try stack.context.setQueryGenerationFrom(.current)
            _ = try stack.context.all("Hero")
            #expect(metrics.values(.readerConnections, used).last == 1)
            try stack.context.setQueryGenerationFrom(nil)
            #expect(metrics.values(.readerConnections, used).last == 0)
            #expect(metrics.values(.readerConnections, ["db.client.connection.state": "idle"]).last == 0)
        }
    }

    @Test("a handler that goes takes the watch of statements with it; a recording goes on without it")
    func handlerCanGo() async {
        await #expect(processExitsWith: .success) {
            let stack = try HeroModel.stack()
            let folder = try TemporaryFolder()
            let metrics = MetricsLog()
            CoreDataMetrics.handler = metrics
            try CoreDataInstruments.startRecording(to: folder.url.appendingPathComponent("a.trace"))
            _ = try stack.context.all("Hero")
            CoreDataMetrics.handler = nil
            let count = metrics.times(.statement).count
            #expect(count > 0)
            _ = try stack.context.all("Team")
            #expect(metrics.times(.statement).count == count && metrics.count(.fetches) == 1)
            #expect(StatementWatch.current?.includesPlans == true)
            #expect(CoreDataInstruments.stopRecording().map { $0.events > count } == true)
            #expect(StatementWatch.current == nil)
            CoreDataMetrics.handler = metrics
            #expect(StatementWatch.current?.includesPlans == false)
        }
    }
}
