import CoreDataMedia
import Foundation
import TestBasics
import Testing

/// Libraries whose rows are made by the test, without files.
@Suite("Queries of a library")
struct QueryTests {
    private func insert(_ library: MPMediaLibrary, _ rows: [[String: any Sendable]]) throws {
        let context = library.newBackgroundContext()
        try context.performAndWait {
            for (index, values) in rows.enumerated() {
                let row = NSEntityDescription.insertNewObject(forEntityName: "MediaItem", into: context)
                row.setValue(NSNumber(value: index + 1), forKey: "persistentID")
                row.setValue(NSNumber(value: 1), forKey: "mediaType")
                for (key, value) in values { row.setValue(value, forKey: key) }
            }
            try context.save()
        }
    }

    private static let songs: [[String: any Sendable]] = [
        [
            "title": "HAPPY BIRTHDAY", "artist": "Anna", "artistPersistentID": 1, "albumTitle": "Party",
            "albumPersistentID": 10, "playCount": 5, "albumTrackNumber": 2,
        ],
        [
            "title": "Friday", "artist": "Émile", "artistPersistentID": 2, "albumTitle": "Party",
            "albumPersistentID": 10, "albumTrackNumber": 1, "isCompilation": true,
        ],
        [
            "title": "Black Friday", "artist": "Anna", "artistPersistentID": 1, "albumTitle": "Black Friday",
            "albumPersistentID": 11, "playbackDuration": 61.5,
        ],
        ["title": "10 Years", "mediaType": 256],
        ["title": "Episode", "mediaType": 2, "podcastTitle": "Talk", "podcastPersistentID": 20],
        ["title": "Chapter", "mediaType": 4, "albumTitle": "Book", "albumPersistentID": 12],
    ]

    private func bench() throws -> (TemporaryFolder, MPMediaLibrary) {
        let folder = try TemporaryFolder()
        let library = try MPMediaLibrary(storeURL: folder.url.appendingPathComponent("L.sqlite"))
        try insert(library, Self.songs)
        return (folder, library)
    }

    @Test(
        "MEDIA-03: equal and contains are case-insensitive and joined by and; numbers and any predicate are asked for too"
    )
    func conditionsAreJoined() throws {
        let (folder, library) = try bench()
        defer { withExtendedLifetime(folder) {} }
        func titles(_ predicates: [MPMediaPredicate]) throws -> [String] {
            try MPMediaQuery(filterPredicates: predicates, library: library).items().compactMap(\.title)
        }
        let title = MPMediaItemPropertyTitle
        #expect(
            try titles([MPMediaPropertyPredicate(value: "happy birthday", forProperty: title)]) == ["HAPPY BIRTHDAY"])
        let friday = MPMediaPropertyPredicate(value: "friDAY", forProperty: title, comparisonType: .contains)
        #expect(try titles([friday]) == ["Black Friday", "Friday"])
        #expect(
            try titles([friday, MPMediaPropertyPredicate(value: "anna", forProperty: MPMediaItemPropertyArtist)]) == [
                "Black Friday"
            ])
        #expect(
            try titles([
                MPMediaPropertyPredicate(
                    value: 3, forProperty: MPMediaItemPropertyPlayCount, comparisonType: .greaterThan)
            ])
                == ["HAPPY BIRTHDAY"])
        #expect(
            try titles([MPMediaPropertyPredicate(value: 61.5, forProperty: MPMediaItemPropertyPlaybackDuration)]) == [
                "Black Friday"
            ])
        #expect(
            try titles([
                MPMediaPropertyPredicate(value: MPMediaType.anyVideo, forProperty: MPMediaItemPropertyMediaType)
            ]) == ["10 Years"])
        #expect(
            try titles([
                MPMediaPropertyPredicate(
                    value: MPMediaType([.podcast, .audioBook]).rawValue, forProperty: MPMediaItemPropertyMediaType)
            ])
                == ["Chapter", "Episode"])
        #expect(try titles([MPMediaFormatPredicate(NSPredicate(format: "title == albumTitle"))]) == ["Black Friday"])
        #expect(
            try titles([MPMediaPropertyPredicate(value: UInt64(2), forProperty: MPMediaItemPropertyPersistentID)]) == [
                "Friday"
            ])
        #expect(
            try titles([MPMediaPropertyPredicate(value: nil, forProperty: MPMediaItemPropertyAlbumTitle)]) == [
                "10 Years", "Episode",
            ])
        #expect(throws: MediaLibraryError.self) {
            try titles([MPMediaPropertyPredicate(value: 1, forProperty: "artwork")])
        }
        #expect(throws: MediaLibraryError.self) {
            try titles([MPMediaPropertyPredicate(value: 1, forProperty: "nothing")])
        }
    }

    @Test("MEDIA-04: each ready-made grouping has one collection for each value, sorted by title, with sections")
    func groupingsHaveACollectionForEachValue() throws {
        let (folder, library) = try bench()
        defer { withExtendedLifetime(folder) {} }
        let albums = try MPMediaQuery.albums(in: library).collections()
        #expect(albums.map(\.title) == ["Black Friday", "Party"])
        #expect(albums[1].items.map(\.title) == ["Friday", "HAPPY BIRTHDAY"])
        #expect(albums[1].persistentID == 10 && albums[1].count == 2 && albums[1].mediaTypes == .music)
        #expect(albums[1].representativeItem?.title == "Friday")
        #expect(try MPMediaQuery.artists(in: library).collections().map(\.title) == ["Anna", "Émile"])
        #expect(try MPMediaQuery.songs(in: library).collections().count == 3)
        #expect(try MPMediaQuery.compilations(in: library).items().map(\.title) == ["Friday"])
        #expect(try MPMediaQuery.audiobooks(in: library).collections().map(\.title) == ["Book"])
        #expect(try MPMediaQuery.podcasts(in: library).collections().map(\.title) == ["Talk"])
        #expect(try MPMediaQuery.composers(in: library).collections().isEmpty)
        let sections = try MPMediaQuery(library: library).itemSections()
        #expect(sections.map(\.title) == ["#", "B", "C", "E", "F", "H"])
        #expect(sections.map(\.range.count) == [1, 1, 1, 1, 1, 1])
        #expect(try MPMediaQuery.artists(in: library).collectionSections().map(\.title) == ["A", "E"])
    }

    @Test("MEDIA-04: the groupings are fetch request templates of the model")
    func groupingsAreTemplates() throws {
        let (folder, library) = try bench()
        defer { withExtendedLifetime(folder) {} }
        let context = library.newBackgroundContext()
        try context.performAndWait {
            for (name, count) in [
                ("songs", 3), ("albums", 3), ("movies", 1), ("podcasts", 1), ("compilations", 1), ("playlists", 0),
            ] {
                let template = try #require(MPMediaLibrary.managedObjectModel.fetchRequestTemplate(forName: name))
                let request = NSFetchRequest<NSManagedObject>(entityName: try #require(template.entityName))
                request.predicate = template.predicate
                request.sortDescriptors = template.sortDescriptors
                #expect(try context.fetch(request).count == count, "\(name)")
            }
        }
    }

    @Test("MEDIA-02: any value may be missing, and values are read by their keys")
    func valuesMayBeMissing() throws {
        let (folder, library) = try bench()
        defer { withExtendedLifetime(folder) {} }
        let items = try MPMediaQuery(library: library).items()
        let film = try #require(items.first { $0.mediaType == .movie })
        #expect(
            film.artist == nil && film.artwork == nil && film.playbackDuration == 0
                && film.value(forProperty: "genre") == nil)
        let song = try #require(items.first { $0.title == "Friday" })
        #expect(song.value(forProperty: MPMediaItemPropertyAlbumPersistentID) as? UInt64 == 10)
        #expect(song.value(forProperty: MPMediaItemPropertyMediaType) as? UInt == 1)
        var seen: [String: Any] = [:]
        song.enumerateValues(forProperties: ["title", "artist", "lyrics"]) { key, value, _ in seen[key] = value }
        #expect(seen.count == 2 && seen["artist"] as? String == "Émile")
        try library.notePlayed(song)
        try library.setRating(9, of: song)
        let fresh = try #require(try library.items(withPersistentIDs: [2, 99]).first)
        #expect(fresh.playCount == 1 && fresh.rating == 5 && fresh.lastPlayedDate != nil)
        // Read before: values of one time.
        #expect(song.playCount == 0)
    }

    @Test("MEDIA-06: collections keep duplicates and are derived by appending and deleting; nil when nothing is left")
    func collectionsAreDerived() throws {
        let (folder, library) = try bench()
        defer { withExtendedLifetime(folder) {} }
        let songs = try MPMediaQuery.songs(in: library).items()
        let collection = MPMediaItemCollection(items: [songs[0], songs[1], songs[0]])
        #expect(collection.count == 3)
        #expect(collection.appending([songs[2]]).items == [songs[0], songs[1], songs[0], songs[2]])
        #expect(collection.deleting(songs[0])?.items == [songs[1]])
        #expect(collection.deletingItems(at: [0, 9])?.items == [songs[1], songs[0]])
        #expect(collection.deletingItems(at: [0, 1, 2]) == nil)
        #expect(MPMediaItemCollection(items: []).representativeItem == nil)
    }

    @Test("MEDIA-05: 100,000 items are found on another thread, and values are read only when they are asked for")
    func queriesAreAsynchronous() async throws {
        let folder = try TemporaryFolder()
        let library = try MPMediaLibrary(storeURL: folder.url.appendingPathComponent("L.sqlite"))
        let context = library.newBackgroundContext()
        try context.performAndWait {
            let request = NSBatchInsertRequest(
                entityName: "MediaItem",
                objects: (0..<100_000).map { index in
                    [
                        "title": "Song \(index % 5_000)", "albumTitle": "Album \(index % 700)",
                        "albumPersistentID": index % 700 + 1,
                        "mediaType": 1, "persistentID": index + 1,
                    ]
                })
            _ = try context.execute(request)
        }
        let query = MPMediaQuery.albums(in: library)
        let start = ContinuousClock.now
        async let collections = withCheckedThrowingContinuation { continuation in
            query.fetchCollections { continuation.resume(with: $0) }
        }
        let asked = ContinuousClock.now - start
        let albums = try await collections
        print("100,000 items: asked in \(asked), found in \(ContinuousClock.now - start)")
        #expect(albums.count == 700 && albums.reduce(0) { $0 + $1.count } == 100_000)
        #expect(albums[1].title == "Album 1" && albums[2].title == "Album 2")
        #expect(albums[699].items.last?.albumTitle == "Album 699")
    }
}
