import CoreData
import CoreDataPostgres
import Foundation
import SwiftData
import TestBasics
import TestServers
import Testing

/// Models on a PostgreSQL server.
@Suite(.enabled(if: PostgresServer.isAvailable, "no server of PostgreSQL"))
struct ServerStoreTests {
    @Test("models are saved, fetched, changed and deleted on a server, with their history")
    func modelsLiveOnAServer() throws {
        let url = try PostgresServer.shared.get().makeURL("shelves")
        let context = try ModelContext.filled(ModelConfiguration(url: url))
        let again = ModelContext(try ModelContainer(for: Shelf.self, configurations: ModelConfiguration(url: url)))
        var descriptor = FetchDescriptor<Volume>(
            predicate: #Predicate { $0.pages >= 100 && $0.shelf?.code != nil },
            sortBy: [SortDescriptor(\.pages, order: .reverse)])
        descriptor.fetchLimit = 5
        let found = try again.fetch(descriptor)
        #expect(found.map(\.title) == ["Persuasion", "Emma"] && found[0].kind == .novel)
        #expect(found[1].shelf?.room == Shelf.Room(floor: 1, name: nil) && found[1].shelf?.tags == ["old", "dusty"])
        found[0].pages = 1
        again.author = "server"
        try again.save()
        let shelf = try #require(try again.shelf("A"))
        again.delete(shelf)
        try again.save()
        #expect(try again.fetchCount(FetchDescriptor<Volume>()) == 1)
        let transactions = try again.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(transactions.count == 3 && transactions.last?.author == "server")
        let deletions = transactions.flatMap(\.changes).filter { if case .delete = $0 { true } else { false } }
        #expect(deletions.count == 3)
        again.insert(Shelf(code: "B", floor: 9))
        #expect(throws: (any Error).self) { try again.save() }
        #expect(
            context.container.persistentStoreCoordinator.persistentStores.first?.type == CoreDataPostgreSQLStoreType)
    }
}
