import Foundation
import SwiftData
import TestBasics
import Testing

/// What a context sees of the saves of others, and what becomes of its own changes.
@Suite struct SeveralContextTests {
    private let context: ModelContext
    private let other: ModelContext

    init() throws {
        let stores = ModelConfiguration(isStoredInMemoryOnly: true)
        let container = try ModelContainer(for: Trip.self, configurations: stores)
        (context, other) = (ModelContext(container), ModelContext(container))
        context.insert(Trip(code: "1", name: "first"))
        try context.save()
    }

    private func trip(_ context: ModelContext) throws -> Trip {
        try #require(try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.code == "1" })).first)
    }

    @Test func fetchRenewsModelsThatWereSavedElsewhere() throws {
        let known = try trip(context)
        #expect(known.name == "first" && known.stops.isEmpty)
        let changed = try trip(other)
        changed.name = "second"
        changed.stops = [Stop(name: "s", nights: 2)]
        try other.save()
        #expect(known.name == "first" && known.stops.isEmpty)
        #expect(try trip(context) === known)
        #expect(known.name == "second" && known.stops.map(\.nights) == [2])
        #expect(!context.hasChanges)
    }

    @Test func fetchInBatchesRenewsModelsThatWereSavedElsewhere() throws {
        let known = try trip(context)
        try trip(other).name = "second"
        try other.save()
        let found = try context.fetch(FetchDescriptor<Trip>(), batchSize: 1)
        #expect(found.first === known && known.name == "second")
    }

    @Test func fetchLeavesUnsavedChanges() throws {
        let known = try trip(context)
        known.name = "mine"
        try trip(other).name = "theirs"
        try other.save()
        #expect(try trip(context).name == "mine")
        #expect(context.changedModelsArray.count == 1)
        #expect(throws: CocoaError.self) { try context.save() }
        #expect(known.name == "mine")
        context.rollback()
        #expect(try trip(context).name == "theirs")
    }

    @Test func changesOfAModelDeletedElsewhereAreDropped() throws {
        let known = try trip(context)
        known.name = "changed"
        context.insert(Trip(code: "2", name: "other"))
        other.delete(try trip(other))
        try other.save()
        let saves = Occurrences(of: ModelContext.didSave, by: context)
        try context.save()
        let updated = saves.last?.userInfo?[ModelContext.NotificationKey.updatedIdentifiers.rawValue]
        #expect((updated as? [PersistentIdentifier])?.isEmpty == true && saves.count == 1)
        #expect(known.isDeleted && known.name == "changed" && !context.hasChanges)
        #expect(try other.fetch(FetchDescriptor<Trip>()).map(\.code) == ["2"])
        try context.save()
    }

    @Test func modelDeletedInBothContextsIsDeletedOnce() throws {
        context.delete(try trip(context))
        other.delete(try trip(other))
        try other.save()
        try? context.save()
        #expect(try other.fetchCount(FetchDescriptor<Trip>()) == 0)
    }
}
