import CoreData
import CoreDataMedia
import TestBasics
import Testing

@testable import MediaLibrarySample

/// The example MediaLibrary: a player of what is chosen, and songs with the name of their album.
@Suite struct MediaLibraryTests {
    private let folder: TemporaryFolder
    private let library: MPMediaLibrary

    init() throws {
        folder = try TemporaryFolder()
        library = try MPMediaLibrary(storeURL: folder.url.appendingPathComponent("L.sqlite"))
        let context = library.newBackgroundContext()
        try context.performAndWait {
            for (index, (title, album)) in [
                ("Let It Be", "Let It Be"), ("help!", "Help!"), ("Help!", "Help!"), ("Friday", "Help!"),
            ].enumerated() {
                let row = NSEntityDescription.insertNewObject(forEntityName: "MediaItem", into: context)
                let values: [String: Any] = [
                    "title": title, "albumTitle": album, "artist": "Ann", "persistentID": index + 1, "mediaType": 1,
                    "playbackDuration": 10.0,
                ]
                for (key, value) in values { row.setValue(value, forKey: key) }
            }
            try context.save()
        }
    }

    @Test("SAMPLE-17: titular songs have the title of their album in the same case, sorted")
    func titularSongsAreFound() throws {
        #expect(try titularSongs(in: library).map(\.title) == ["Help!", "Let It Be"])
    }

    @Test("SAMPLE-17: the first choice starts, later ones are appended, and rewinding at the first item restarts it")
    func choicesArePlayed() throws {
        let player = SimplePlayer(library, clock: { 5 })
        #expect(player.title == SimplePlayer.invitation && player.status == "Stopped")
        #expect(try player.search("") == 0)
        #expect(try player.search("FRI") == 1)
        #expect(player.status == "Playing" && player.title == "Friday, Ann")
        #expect(try player.search("let") == 1)
        #expect(player.title == "Friday, Ann" && player.controller.player.upcoming.count == 2)
        player.controller.currentPlaybackTime = 4
        player.rewind()
        #expect(player.title == "Friday, Ann" && player.controller.currentPlaybackTime == 0)
        player.remove(0)
        #expect(player.title == "Let It Be, Ann" && player.status == "Playing")
        player.controller.skipToNextItem()
        #expect(player.status == "Stopped", "past the end")
        player.remove(0)
        #expect(player.title == SimplePlayer.invitation)
    }

    @Test("SAMPLE-17: the model file of the example is the model of the library, so that each opens the other's stores")
    func modelsAreTheSame() throws {
        let container = NSPersistentContainer(
            name: "MediaLibrary", managedObjectModel: MPMediaLibrary.managedObjectModel)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Examples/MediaLibrary/Sources/Model/MediaLibrary.xcdatamodeld"
        ).standardizedFileURL
        let model = try #require(NSManagedObjectModel(contentsOf: file))
        #expect(model.entityVersionHashesByName == container.managedObjectModel.entityVersionHashesByName)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("Own.sqlite"),
            options: nil)
        #expect(try MPMediaLibrary(coordinator: coordinator).playlists().isEmpty)
        let other = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        #expect(throws: MediaLibraryError.self) { try MPMediaLibrary(coordinator: other) }
    }

    @Test("SAMPLE-17: the label says what the player does, and what plays elsewhere in the program is adopted")
    func labelSaysWhatIsDone() throws {
        let player = SimplePlayer(library, clock: { 5 })
        _ = try player.search("FRI")
        _ = try player.search("let")
        var said: [String] = []
        for step in [
            player.controller.pause, player.controller.play, player.controller.beginSeekingForward,
            player.controller.endSeeking, player.controller.beginSeekingBackward, player.controller.endSeeking,
            player.controller.stop,
        ] {
            step()
            said.append(player.status)
        }
        #expect(said == ["Paused", "Playing", "Fast Forward", "Playing", "Rewind", "Playing", "Stopped"])
        // Another part of the program plays by the same controller: the label follows, and what is chosen then comes after it.
        let query = MPMediaQuery.songs(in: library)
        player.controller.setQueue(with: MPMediaItemCollection(items: Array(try query.items().prefix(1))))
        player.controller.play()
        let title = try #require(player.controller.nowPlayingItem?.title)
        #expect(player.status == "Playing" && player.title == "\(title), Ann")
        _ = try player.search("FRI")
        #expect(player.title == "\(title), Ann" && player.controller.player.entries.count == 2)
    }

    @Test("SAMPLE-17: the property lists show music, films and playlists without a problem")
    @MainActor func propertyListsAreShown() async throws {
        let shown = try await ShownApp("MediaLibrary", in: folder)
        #expect(shown.problems.isEmpty && shown.titles.prefix(2) == ["Music", "Videos"], "\(shown)")
    }
}
