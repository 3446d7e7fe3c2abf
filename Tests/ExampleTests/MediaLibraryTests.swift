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
}
