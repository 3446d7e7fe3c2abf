import Foundation
import SQLiteKit
import SwiftData
import TestBasics
import Testing

/// Order of relationships, rules of deletion, and indexes that are added to a class.
@Suite struct RelationshipTests {
    private let folder: TemporaryFolder
    private let configuration: ModelConfiguration

    init() throws {
        folder = try TemporaryFolder()
        configuration = ModelConfiguration(url: folder.url.appending(path: "songs.store"))
    }

    private func open(_ types: any PersistentModel.Type...) throws -> ModelContext {
        ModelContext(try ModelContainer(for: Schema(types), configurations: configuration))
    }

    @Test func orderedRelationshipKeepsTheOrder() throws {
        let titles = ["e", "a", "d", "b", "c"]
        do {
            let context = try open(Playlist.self)
            let label = Label(name: "L")
            let list = Playlist(name: "P")
            list.songs = titles.map { Song(title: $0, label: label) }
            list.comments = [Comment(text: "2"), Comment(text: "1")]
            #expect(list.songs.map(\.title) == titles)
            context.insert(list)
            #expect(list.songs.map(\.title) == titles)
            try context.save()
        }
        do {
            let context = try open(Playlist.self)
            let list = try #require(try context.fetch(FetchDescriptor<Playlist>()).first)
            #expect(list.songs.map(\.title) == titles && list.comments.map(\.text) == ["2", "1"])
            list.songs.swapAt(0, 4)
            list.songs.remove(at: 1)
            list.songs.insert(Song(title: "new", label: list.songs[0].label), at: 2)
            list.comments.append(Comment(text: "0"))
            try context.save()
        }
        let context = try open(Playlist.self)
        let list = try #require(try context.fetch(FetchDescriptor<Playlist>()).first)
        #expect(
            list.songs.map(\.title) == ["c", "d", "new", "b", "e"] && list.comments.map(\.text) == ["2", "1", "0"])
        #expect(try context.fetchCount(FetchDescriptor<Song>()) == 6)
        #expect(list.songs.allSatisfy { $0.playlists == [list] })
    }

    @Test func orderOfOneModelIsAnErrorOfTheSchema() throws {
        #expect {
            try ModelContainer(for: Misplaced.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        } throws: {
            "\($0)".contains("'Misplaced.song' leads to one model, and has the option `ordered`")
        }
    }

    @Test func plainRelationshipHasAStableOrder() throws {
        do {
            let context = try open(Trip.self)
            let trip = Trip(code: "1", name: "n")
            context.insert(trip)
            for number in 0..<40 { trip.stops.append(Stop(name: "\(number)")) }
            #expect(trip.stops.map(\.name) == (0..<40).map(String.init))
            try context.save()
        }
        let names = try (0..<3).map { _ in
            let context = try open(Trip.self)
            return try #require(try context.fetch(FetchDescriptor<Trip>()).first).stops.map(\.name)
        }
        #expect(names[0] == names[1] && names[1] == names[2] && Set(names[0]).count == 40)
        let context = try open(Trip.self)
        let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
        let before = trip.stops.map(\.name)
        trip.stops[5].nights = 9
        trip.stops.append(Stop(name: "last"))
        #expect(trip.stops.map(\.name) == before + ["last"])
        try context.save()
        #expect(trip.stops.map(\.name) == before + ["last"])
    }

    @Test func deletionByPredicateHonoursDeny() throws {
        let context = try open(Playlist.self)
        let (used, unused) = (Label(name: "used"), Label(name: "unused"))
        context.insert(Song(title: "s", label: used))
        context.insert(unused)
        try context.save()
        try context.delete(model: Label.self)
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Label>()) == 2)
        try context.delete(model: Label.self, where: #Predicate { $0.name == "unused" })
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Label>()).map(\.name) == ["used"])
        try context.delete(model: Song.self)
        try context.delete(model: Label.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Label>()) == 0)
    }

    @Test func deletionByPredicateHonoursMandatoryInverses() throws {
        let context = try open(Disc.self)
        let disc = Disc(name: "d")
        let (first, second) = (Track(title: "1", disc: disc), Track(title: "2", disc: disc))
        context.insert(first)
        context.insert(second)
        try context.save()
        try context.delete(model: Disc.self, where: #Predicate { $0.name == "d" })
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        let fresh = ModelContext(context.container)
        let tracks = try fresh.fetch(FetchDescriptor<Track>())
        #expect(tracks.count == 2 && tracks.allSatisfy { $0.disc.name == "d" })
        try context.delete(model: Track.self, where: #Predicate { $0.disc.name == "d" })
        try context.delete(model: Disc.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Disc>()) == 0)
    }

    @Test func indexesThatAClassGainsReachItsStore() throws {
        do {
            let context = try open(CatalogV1.Article.self)
            for number in 0..<100 { context.insert(CatalogV1.Article(code: "\(number)", price: Double(number))) }
            try context.save()
        }
        #expect(try indexes().isEmpty)
        let context = try open(CatalogV2.Article.self)
        #expect(try context.fetchCount(FetchDescriptor<CatalogV2.Article>()) == 100)
        let fresh = ModelConfiguration(url: folder.url.appending(path: "fresh.store"))
        _ = try ModelContainer(for: CatalogV2.Article.self, configurations: fresh)
        let names = try indexes()
        #expect(try names == indexes(fresh) && names.contains("Z_Article_SwiftDataIndexOnBinarypricecode"))
    }

    private func indexes(_ other: ModelConfiguration? = nil) throws -> [String] {
        let path = (other ?? configuration).url.path
        let connection = try Connection.open(path, OpenOptions(mode: .readOnly))
        defer { connection.close() }
        let sql = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZARTICLE' ORDER BY name"
        return try connection.rows(sql).compactMap { row in if case .text(let name) = row[0] { name } else { nil } }
    }

    @Test func memoryThatMayNotBeChangedOpensEmpty() throws {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true, allowsSave: false)
        let context = ModelContext(try ModelContainer(for: Trip.self, configurations: configuration))
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
        context.insert(Trip(code: "1", name: "n"))
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
    }
}
