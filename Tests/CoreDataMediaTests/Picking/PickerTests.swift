import CoreData
import CoreDataMedia
import LockKit
import TestBasics
import Testing

/// Pickers over a library whose rows are made by the test.
@Suite("Choosing items of a library")
struct PickerTests {
    private final class Answers: MPMediaPickerControllerDelegate {
        let texts = Locked<[String]>([])

        func mediaPicker(
            _ mediaPicker: MPMediaPickerController, didPickMediaItems mediaItemCollection: MPMediaItemCollection
        ) {
            texts.withLock { $0.append(mediaItemCollection.items.map { $0.title ?? "" }.joined(separator: ",")) }
        }

        func mediaPickerDidCancel(_ mediaPicker: MPMediaPickerController) { texts.withLock { $0.append("cancelled") } }

        var all: [String] { texts.withLock { $0 } }
    }

    private func library(_ folder: TemporaryFolder) throws -> MPMediaLibrary {
        let library = try MPMediaLibrary(storeURL: folder.url.appendingPathComponent("L.sqlite"))
        let context = library.newBackgroundContext()
        try context.performAndWait {
            for (index, (title, type)) in [("Friday", 1), ("Black Friday", 1), ("Film", 256), ("Talk", 2)].enumerated()
            {
                let row = NSEntityDescription.insertNewObject(forEntityName: "MediaItem", into: context)
                row.setValue(NSNumber(value: index + 1), forKey: "persistentID")
                row.setValue(NSNumber(value: type), forKey: "mediaType")
                row.setValue(title, forKey: "title")
            }
            try context.save()
        }
        return library
    }

    @Test("MEDIA-07: a picker offers the types of its mask, takes one item by default, and is closed by it")
    func oneItem() throws {
        let folder = try TemporaryFolder()
        let library = try library(folder)
        let answers = Answers()
        let picker = MPMediaPickerController(mediaTypes: [.music, .podcast], library: library)
        picker.delegate = answers
        picker.prompt = "Add songs"
        #expect(try picker.items().map(\.title) == ["Black Friday", "Friday", "Talk"])
        #expect(try picker.items(matching: "friday").map(\.title) == ["Black Friday", "Friday"])
        let offered = try picker.items()
        #expect(throws: MediaLibraryError.self) { try picker.pick(offered) }
        #expect(throws: MediaLibraryError.self) { try picker.pick([]) }
        let film = try #require(MPMediaPickerController(mediaTypes: .movie, library: library).items().first)
        #expect(throws: MediaLibraryError.self) { try picker.pick([film]) }
        #expect(!picker.isClosed && answers.all.isEmpty && picker.prompt == "Add songs")
        try picker.pick([offered[1]])
        #expect(picker.isClosed && answers.all == ["Friday"])
        picker.cancel()
        try picker.pick([offered[0]])
        #expect(answers.all == ["Friday"])
    }

    @Test("MEDIA-07: several items are picked in their order where that is allowed, and cancelling closes too")
    func severalItemsAndCancelling() throws {
        let folder = try TemporaryFolder()
        let library = try library(folder)
        let answers = Answers()
        let picker = MPMediaPickerController(library: library)
        picker.delegate = answers
        picker.allowsPickingMultipleItems = true
        let offered = try picker.items()
        #expect(offered.count == 4)
        try picker.pick([offered[3], offered[0], offered[3]])
        #expect(answers.all == ["Talk,Black Friday,Talk"])
        let other = MPMediaPickerController(library: library)
        other.delegate = answers
        other.cancel()
        #expect(other.isClosed && answers.all.last == "cancelled")
    }
}
