import CoreDataMedia
import Foundation
import LockKit
import TestBasics
import Testing

@Suite("Players of a library", .serialized)
struct ControllerTests {
    private final class Clock: Sendable {
        private let value = Locked(0.0)
        var now: Double { value.withLock { $0 } }
        func pass(_ seconds: Double) { value.withLock { $0 += seconds } }
    }

    private struct Bench {
        let folder: TemporaryFolder
        let library: MPMediaLibrary
        let clock = Clock()
        let controller: MPMusicPlayerController

        init() throws {
            folder = try TemporaryFolder()
            library = try MPMediaLibrary(storeURL: folder.url.appendingPathComponent("L.sqlite"))
            let context = library.newBackgroundContext()
            try context.performAndWait {
                for index in 1...3 {
                    let row = NSEntityDescription.insertNewObject(forEntityName: "MediaItem", into: context)
                    row.setValue("Song \(index)", forKey: "title")
                    row.setValue(index, forKey: "persistentID")
                    row.setValue(1, forKey: "mediaType")
                    row.setValue(10.0, forKey: "playbackDuration")
                }
                try context.save()
            }
            let clock = clock
            controller = MPMusicPlayerController(library: library, clock: { clock.now })
        }
    }

    @Test("MEDIA-11: notifications come only between begin and end generating, each for its own change")
    func notificationsComeBetweenBeginAndEnd() throws {
        let bench = try Bench()
        let controller = bench.controller
        let seen = Locked<[String]>([])
        let names = [
            MPMusicPlayerController.playbackStateDidChangeNotification: "state",
            MPMusicPlayerController.nowPlayingItemDidChangeNotification: "item",
            MPMusicPlayerController.volumeDidChangeNotification: "volume",
        ]
        let tokens = names.map { name, text in
            NotificationCenter.default.addObserver(forName: name, object: controller, queue: nil) { _ in
                seen.withLock { $0.append(text) }
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        func take() -> [String] {
            seen.withLock { seen in
                defer { seen = [] }
                return seen
            }
        }
        try controller.setQueue(with: MPMediaQuery.songs(in: bench.library))
        controller.play()
        #expect(take().isEmpty)
        controller.beginGeneratingPlaybackNotifications()
        controller.volume = 0.5
        controller.volume = 0.5
        #expect(take() == ["volume"])
        controller.skipToNextItem()
        #expect(take() == ["item"])
        bench.clock.pass(12)
        controller.update()
        #expect(take() == ["item"])
        controller.pause()
        #expect(take() == ["state"])
        controller.skipToNextItem()
        #expect(take().sorted() == ["item", "state"])
        controller.endGeneratingPlaybackNotifications()
        controller.play()
        #expect(take().isEmpty)
    }

    @Test("MEDIA-11: the queue of a query is played, items that end are counted, and those that are skipped too")
    func itemsAreCounted() throws {
        let bench = try Bench()
        let controller = bench.controller
        try controller.setQueue(with: MPMediaQuery.songs(in: bench.library))
        #expect(controller.nowPlayingItem?.title == "Song 1" && controller.indexOfNowPlayingItem == 0)
        controller.play()
        bench.clock.pass(11)
        #expect(controller.nowPlayingItem?.title == "Song 2" && controller.currentPlaybackTime == 1)
        controller.skipToNextItem()
        controller.pause()
        controller.currentPlaybackTime = 99
        #expect(controller.currentPlaybackTime == 10)
        let items = try bench.library.items(withPersistentIDs: [1, 2, 3])
        #expect(items.map(\.playCount) == [1, 0, 0] && items.map(\.skipCount) == [0, 1, 0])
        let stored = try JSONEncoder().encode(controller.player)
        let other = MPMusicPlayerController(library: bench.library, clock: { 5 })
        other.player = try JSONDecoder().decode(MusicPlayer.self, from: stored)
        #expect(other.nowPlayingItem?.title == "Song 3")
    }

    @Test("MEDIA-11: with the system's clock an item is followed by the next one by itself")
    func timersMoveOn() async throws {
        let bench = try Bench()
        let states = Locked<[UInt64]>([])
        let controller = MPMusicPlayerController(
            library: bench.library,
            changed: { player in
                states.withLock { $0.append(player.current?.item ?? 0) }
            })
        controller.edit { player, now in
            var generator = SystemRandomNumberGenerator()
            player.setQueue([.init(item: 1, duration: 0.05), .init(item: 2, duration: 60)], at: now, using: &generator)
            player.play(at: now)
        }
        await eventually("the second item") { states.withLock { $0.last } == 2 }
        #expect(controller.playbackState == .playing)
    }
}
