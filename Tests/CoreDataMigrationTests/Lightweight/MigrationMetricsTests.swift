import CoreData
import StoreContract
import TestBasics
import Testing

/// The handler is one of the whole process, so each test runs in a process of its own.
@Suite struct MigrationMetricsTests {
    @Test("a migration of a store that is opened is counted and timed with its outcome; opening alone is not")
    func migrationsAreCounted() async {
        await #expect(processExitsWith: .success) {
            let first = MigrationScene.model { $0.entity("Hero", ["name": .stringAttributeType]) }
            let second = MigrationScene.model {
                $0.entity("Hero", ["name": .stringAttributeType, "age": .integer64AttributeType])
            }
            let scene = try MigrationScene(first) { $0.insert("Hero") }
            let metrics = MetricsLog()
            CoreDataMetrics.handler = metrics
            try scene.with(first) { _ in }
            #expect(metrics.count(.migrations) == 0)
            let count = try scene.with(second) { try $0.all("Hero").count }
            #expect(count == 1)
            let dimensions = ["db.namespace": "Test.sqlite", "coredata.outcome": "done"]
            #expect(metrics.count(.migrations, dimensions) == 1 && metrics.times(.migration, dimensions).count == 1)

            // A property that must have a value, of which the rows have none, cannot be inferred.
            let third = MigrationScene.model {
                $0.entity("Hero", ["name": .stringAttributeType, "size": .integer64AttributeType])
                $0.attribute("Hero.size").isOptional = false
            }
            #expect(throws: (any Error).self) { try scene.with(third) { _ in } }
            #expect(metrics.count(.migrations, ["coredata.outcome": "failed"]) == 1)
            #expect(metrics.count(.migrations) == 2)
        }
    }
}
