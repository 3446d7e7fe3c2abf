import Foundation
import SwiftData
import TestBasics
import Testing

/// Saves that contexts make by themselves.
@Suite struct AutosaveTests {
    private static func makeContainer() throws -> ModelContainer {
        try ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    private static func savedCodes(_ container: ModelContainer) throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)])).map(\.code)
    }

    @MainActor @Test func mainContextSavesChangesTogether() async throws {
        let container = try Self.makeContainer()
        let context = container.mainContext
        #expect(context.autosaveEnabled)
        let saves = Occurrences(of: ModelContext.didSave, by: context)
        for number in 0..<50 { context.insert(Trip(code: "\(number)", name: "n")) }
        #expect(try Self.savedCodes(container).isEmpty)
        await eventually("the automatic save") { !context.hasChanges }
        #expect(try Self.savedCodes(container).count == 50 && saves.count == 1)
        try #require(try context.fetch(FetchDescriptor<Trip>()).first).name = "changed"
        await eventually("the save of the change") { !context.hasChanges }
        #expect(saves.count == 2)
    }

    @MainActor @Test func failedSaveKeepsTheChanges() async throws {
        let container = try Self.makeContainer()
        let context = container.mainContext
        context.autosaveDelay = .milliseconds(1)
        context.insert(Trip(code: "same", name: "a"))
        context.insert(Trip(code: "same", name: "b"))
        let attempts = Occurrences(of: ModelContext.willSave, by: context)
        await eventually("the failed save") { attempts.count > 0 }
        #expect(context.hasChanges && context.insertedModelsArray.count == 2)
        try #require(context.insertedModelsArray.last as? Trip).code = "other"
        await eventually("the save after the correction") { !context.hasChanges }
        #expect(try Self.savedCodes(container) == ["other", "same"])
    }

    @MainActor @Test func mainContextWithoutAutosaveWaits() async throws {
        let container = try Self.makeContainer()
        let context = container.mainContext
        context.autosaveEnabled = false
        context.insert(Trip(code: "1", name: "n"))
        try await Task.sleep(for: .milliseconds(300))
        #expect(context.hasChanges)
        context.autosaveEnabled = true
        await eventually("the automatic save") { !context.hasChanges }
    }

    @Test func actorSavesOnItsQueue() async throws {
        let container = try Self.makeContainer()
        let keeper = SavingKeeper(modelContainer: container)
        await keeper.begin()
        await keeper.add("a")
        await keeper.add("b")
        await eventually("the automatic save") { (try? Self.savedCodes(container)) == ["a", "b"] }
        #expect(await keeper.hasChanges == false)
    }

    @Test func contextWithoutAQueueSavesWhenItIsUsed() throws {
        let container = try Self.makeContainer()
        let context = ModelContext(container)
        #expect(!context.autosaveEnabled)
        context.autosaveEnabled = true
        context.autosaveDelay = .zero
        context.insert(Trip(code: "1", name: "n"))
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
        #expect(!context.hasChanges)
        #expect(try Self.savedCodes(container) == ["1"])
    }
}

@ModelActor
private actor SavingKeeper {
    func begin() { modelContext.autosaveEnabled = true }
    func add(_ code: String) { modelContext.insert(Trip(code: code, name: "n")) }
    var hasChanges: Bool { modelContext.hasChanges }
}

/// Counts the notifications of one kind that a context posts.
final class Occurrences {
    private(set) var count = 0
    private(set) var last: Notification?
    private var observer: (any NSObjectProtocol)?

    init(of name: Notification.Name, by context: ModelContext) {
        let box = Unchecked(self)
        observer = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
            box.value?.count += 1
            box.value?.last = notification
        }
    }

    deinit { observer.map(NotificationCenter.default.removeObserver) }

    private final class Unchecked: @unchecked Sendable {
        weak var value: Occurrences?
        init(_ value: Occurrences) { self.value = value }
    }
}
