import CoreData
import NoteCollectorSample
import SQLiteKit
import TestBasics
import Testing

/// The lists of the note collector: how they are asked for, what new items are called, and what a deletion leaves in the file.
@MainActor @Suite struct NoteListTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Notes.sqlite")
    }

    private func rows() throws -> [String] {
        let connection = try Connection.open(url.path, OpenOptions(mode: .readOnly))
        defer { connection.close() }
        return try connection.rows("SELECT ZITEMNAME FROM ZABSTRACTITEM ORDER BY ZITEMNAME").compactMap { $0[0].text }
    }

    @Test("the outermost list alone has the cache 'Root'; all come in batches of twenty, by name (SAMPLE-09)")
    func listsAreAskedFor() throws {
        let collector = try NoteCollector(at: url)
        let travel = try collector.addCollection("Travel", to: nil)
        let root = try collector.list(of: nil)
        let inner = try collector.list(of: travel)
        #expect(NoteCollector.title == "Note Collector" && root.cacheName == "Root" && inner.cacheName == nil)
        for list in [root, inner] {
            #expect(list.fetchRequest.fetchBatchSize == 20 && list.sectionNameKeyPath == nil)
            #expect(list.fetchRequest.sortDescriptors?.map(\.key) == ["itemName"])
        }
        let italy = try collector.addCollection("Italy", to: travel)
        #expect(root.fetchedObjects == [travel] && inner.fetchedObjects?.isEmpty == true)
        #expect(try collector.list(of: travel).fetchedObjects == [italy])
        NSFetchedResultsController<AWAbstractItem>.deleteCache(withName: "Root")
    }

    @Test("new items have names of their own, and a list notes them as they come and are renamed (SAMPLE-09)")
    func newItemsHaveNames() throws {
        let collector = try NoteCollector(at: url)
        let list = try collector.list(of: nil)
        let log = ListLog()
        list.delegate = log
        let note = try collector.addNote(to: nil)
        let collection = try collector.addCollection(to: nil)
        #expect(note.itemName == "New Note" && note.textContent == nil)
        #expect(collection.itemName == "New Collection" && (collection.subItems?.count ?? 0) == 0)
        #expect(log.take() == ["will", "insert 0.0", "did", "will", "insert 0.0", "did"])
        try collector.change { collection.itemName = "Travel" }
        #expect(list.fetchedObjects?.map(\.itemName) == ["New Note", "Travel"])
        #expect(log.take() == ["will", "move 0.0 0.1", "did"])
        NSFetchedResultsController<AWAbstractItem>.deleteCache(withName: "Root")
    }

    @Test("a deleted collection leaves no row of its tree in the file (SAMPLE-09)")
    func deletedTreeLeavesNoRow() throws {
        let collector = try NoteCollector(at: url)
        var inner: AWCollection?
        for depth in 0..<12 {
            let next = try collector.addCollection("Depth \(depth)", to: inner)
            try collector.addNote("Note \(depth)", to: next)
            inner = next
        }
        try collector.addNote("Apples", to: nil)
        #expect(try rows().count == 25)
        let middle = try #require(try collector.item(at: (0..<6).map { "Depth \($0)" }))
        try collector.delete(middle)
        #expect(try rows() == ["Apples"] + (0..<5).map { "Depth \($0)" } + (0..<5).map { "Note \($0)" })
        try collector.delete(try #require(try collector.item(at: ["Depth 0"])))
        #expect(try rows() == ["Apples"])
        NSFetchedResultsController<AWAbstractItem>.deleteCache(withName: "Root")
    }
}
