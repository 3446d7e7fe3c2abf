import Foundation
import SwiftData
import TestBasics
import Testing

enum LampsV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Lamp.self] }

    @Model
    final class Lamp {
        var name: String
        var isLit: Bool
        init(name: String, isLit: Bool) { (self.name, self.isLit) = (name, isLit) }
    }
}

enum LampsV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Lamp.self] }

    @Model
    final class Lamp {
        var name: String
        var isLit: Bool
        var brightness: Int = 5
        init(name: String, isLit: Bool) { (self.name, self.isLit) = (name, isLit) }
    }
}

private enum PlanForward: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LampsV1.self, LampsV2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: LampsV1.self, toVersion: LampsV2.self)] }
}

private enum PlanBack: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LampsV1.self, LampsV2.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: LampsV2.self, toVersion: LampsV1.self, willMigrate: nil,
                didMigrate: { context in
                    for lamp in try context.fetch(FetchDescriptor<LampsV1.Lamp>()) { lamp.isLit = false }
                    try context.save()
                })
        ]
    }
}

/// Stores of a newer version than the container's, for which a plan has stages back.
@Suite struct BackwardMigrationTests {
    private let folder: TemporaryFolder
    private var configuration: ModelConfiguration { ModelConfiguration(url: folder.url.appending(path: "lamps.store")) }

    init() throws {
        folder = try TemporaryFolder()
        let schema = Schema(versionedSchema: LampsV2.self)
        let context = ModelContext(try ModelContainer(for: schema, configurations: configuration))
        context.insert(LampsV2.Lamp(name: "desk", isLit: true))
        try context.save()
    }

    private func open(_ schema: any VersionedSchema.Type, _ plan: any SchemaMigrationPlan.Type) throws -> ModelContext {
        ModelContext(
            try ModelContainer(
                for: Schema(versionedSchema: schema), migrationPlan: plan, configurations: configuration))
    }

    @Test func stageLeadsBackAndForwardAgain() throws {
        do {
            let context = try open(LampsV1.self, PlanBack.self)
            let lamps = try context.fetch(FetchDescriptor<LampsV1.Lamp>())
            #expect(lamps.map(\.name) == ["desk"] && lamps.map(\.isLit) == [false])
        }
        let context = try open(LampsV2.self, PlanForward.self)
        #expect(try context.fetch(FetchDescriptor<LampsV2.Lamp>()).map(\.brightness) == [5])
    }

    @Test func storeOfANewerVersionWithoutStagesBackIsRefused() throws {
        #expect {
            try open(LampsV1.self, PlanForward.self)
        } throws: { error in
            SwiftDataError.backwardMigration ~= error && "\(error)".contains("no stages of the plan lead back")
        }
        let context = try open(LampsV2.self, PlanForward.self)
        #expect(try context.fetch(FetchDescriptor<LampsV2.Lamp>()).map(\.isLit) == [true])
    }
}
