import Documents
import Foundation
import TestBasics
import Testing

@Suite("Metadata queries", .timeLimit(.minutes(1)))
struct MetadataQueryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ text: String = "x") throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func query(_ format: String = "%K LIKE %@", _ pattern: String = "*.txt") -> (
        query: NSMetadataQuery, news: News
    ) {
        let query = NSMetadataQuery()
        query.searchScopes = [folder.url]
        query.predicate = NSPredicate(format: format, NSMetadataItemFSNameKey, pattern)
        query.notificationBatchingInterval = 0.01
        return (query, News(query))
    }

    /// Records the notifications of a query.
    private final class News: @unchecked Sendable {
        private let lock = NSLock()
        private var recorded: [String] = []
        private var observers: [any NSObjectProtocol] = []
        var words: [String] { lock.withLock { recorded } }

        init(_ query: NSMetadataQuery) {
            let names: [(Notification.Name, String)] = [
                (.NSMetadataQueryDidStartGathering, "started"), (.NSMetadataQueryDidFinishGathering, "gathered"),
                (.NSMetadataQueryDidUpdate, "updated"),
            ]
            for (name, word) in names {
                let observer = NotificationCenter.default.addObserver(forName: name, object: query, queue: nil) {
                    [weak self] in
                    self?.add(word, $0)
                }
                observers.append(observer)
            }
        }

        private func add(_ word: String, _ notification: Notification) {
            let keys = [
                ("+", NSMetadataQueryUpdateAddedItemsKey), ("~", NSMetadataQueryUpdateChangedItemsKey),
                ("-", NSMetadataQueryUpdateRemovedItemsKey),
            ]
            let changes = keys.flatMap { sign, key in
                ((notification.userInfo?[key] as? [NSMetadataItem]) ?? []).map {
                    sign + ($0.value(forAttribute: NSMetadataItemFSNameKey) as? String ?? "?")
                }
            }
            lock.withLock { recorded += changes.isEmpty ? [word] : changes }
        }

        deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    }

    private func names(_ query: NSMetadataQuery) -> [String] {
        query.results.compactMap { ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemFSNameKey) as? String }
    }

    @Test("files are gathered by a predicate, and then updates follow (SYNC-21)")
    func gathering() async throws {
        try write("b.txt")
        try write("a.txt")
        try write("c.doc")
        try write(".hidden.txt")
        try write("Sub/d.txt", "four")
        try write("Pack.rtfd/inner.txt")
        let (query, news) = query()
        #expect(query.isStopped && query.start() && !query.start())
        await eventually("the files") { news.words == ["started", "gathered"] }
        #expect(names(query) == ["d.txt", "a.txt", "b.txt"])
        #expect(query.resultCount == 3 && query.index(ofResult: query.result(at: 1)) == 1)
        let item = try #require(query.result(at: 0) as? NSMetadataItem)
        #expect(item.value(forAttribute: NSMetadataItemFSSizeKey) as? NSNumber == 4)
        #expect((item.value(forAttribute: NSMetadataItemURLKey) as? URL)?.lastPathComponent == "d.txt")

        try write("e.txt")
        await eventually("the new one") { news.words.contains("+e.txt") }
        try write("a.txt", "changed")
        await eventually("the changed one") { news.words.contains("~a.txt") }
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("b.txt"))
        await eventually("the removed one") { news.words.contains("-b.txt") }
        try write("Deep/er/f.txt")
        await eventually("one in a new folder") { news.words.contains("+f.txt") }
        try write("other.doc")
        query.stop()
        #expect(names(query).sorted() == ["a.txt", "d.txt", "e.txt", "f.txt"])
        try write("late.txt")
        #expect(!news.words.contains("+other.doc") && query.isStopped)
    }

    @Test("updates that come while they are disabled are held, and reported together (SYNC-21)")
    func holding() async throws {
        let (query, news) = query()
        query.start()
        await eventually("the end") { news.words.contains("gathered") }
        query.disableUpdates()
        try write("one.txt")
        try write("two.txt")
        try await Task.sleep(for: .milliseconds(150))
        #expect(query.resultCount == 0 && news.words == ["started", "gathered"])
        query.enableUpdates()
        await eventually("both") { news.words == ["started", "gathered", "+one.txt", "+two.txt"] }
        query.stop()
    }

    @Test("a file is listed before its bytes are here (SYNC-21)")
    func placeholders() async throws {
        try write(".far.txt.icloud")
        let (query, news) = query()
        query.start()
        await eventually("the end") { news.words.contains("gathered") }
        #expect(names(query) == ["far.txt"])
        func status() -> String? {
            (query.results.first as? NSMetadataItem)?.value(forAttribute: NSMetadataUbiquitousItemDownloadingStatusKey)
                as? String
        }
        #expect(status() == NSMetadataUbiquitousItemDownloadingStatusNotDownloaded)
        try write("far.txt", "bytes")
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent(".far.txt.icloud"))
        await eventually("the bytes") { status() == NSMetadataUbiquitousItemDownloadingStatusCurrent }
        #expect(!news.words.contains("+far.txt") && news.words.contains("~far.txt"))
        query.stop()
    }

    @Test("results are sorted by the query's descriptors (SYNC-21)")
    func sorting() async throws {
        for (name, size) in [("a.txt", 3), ("b.txt", 1), ("c.txt", 2)] {
            try write(name, String(repeating: "x", count: size))
        }
        let (query, news) = query()
        query.sortDescriptors = [NSSortDescriptor(key: NSMetadataItemFSSizeKey, ascending: true)]
        query.start()
        await eventually("the end") { news.words.contains("gathered") }
        #expect(names(query) == ["b.txt", "c.txt", "a.txt"])
        query.stop()
    }
}
