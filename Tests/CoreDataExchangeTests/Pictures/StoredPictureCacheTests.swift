import CoreData
import CoreDataExchange
import CoreDataTransfer
import Foundation
import TestBasics
import Testing

@Suite struct StoredPictureCacheTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var store: URL { folder.url.appendingPathComponent("Cache/pictures.sqlite") }

    private func url(_ name: String) throws -> URL { try #require(URL(string: "http://pictures.example/\(name)")) }

    private func entry(_ size: Int, tag: String? = nil) -> CachedPicture {
        CachedPicture(
            data: Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) }), entityTag: tag,
            lastModified: tag.map { _ in "Sun, 29 Nov 2026 10:00:00 GMT" },
            freshUntil: Date(timeIntervalSince1970: 1_800_000_000))
    }

    /// The files of large values beside the store.
    private var largeFiles: [String] {
        let place = store.deletingLastPathComponent().appendingPathComponent(".pictures_SUPPORT/_EXTERNAL_DATA")
        return (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    }

    @Test("pictures are kept with their versions, large ones as external data, when the store is opened again (WEB-11)")
    func keeps() async throws {
        let (small, large) = (entry(500, tag: "\"1\""), entry(400_000))
        let first = try StoredPictureCache(storeAt: store)
        await first.store(small, for: try url("small"))
        await first.store(large, for: try url("large"))
        #expect(largeFiles.count == 1)
        let second = try StoredPictureCache(storeAt: store)
        #expect(await second.picture(for: try url("small")) == small)
        #expect(await second.picture(for: try url("large")) == large)
        #expect(await second.picture(for: try url("other")) == nil)
        #expect(second.byteCount == 400_500)
        await second.store(entry(700, tag: "\"2\""), for: try url("small"))
        #expect(await second.picture(for: try url("small")) == entry(700, tag: "\"2\""))
        #expect(second.byteCount == 400_700)
        await second.remove(for: try url("large"))
        #expect(await second.picture(for: try url("large")) == nil)
        #expect(second.byteCount == 700 && largeFiles.isEmpty)
    }

    @Test("over the limit the pictures that were not used for longest go, also by uses of an earlier process (WEB-11)")
    func limit() async throws {
        let first = try StoredPictureCache(storeAt: store, byteLimit: 400_000)
        for name in ["a", "b", "c", "d"] { await first.store(entry(100_000), for: try url(name)) }
        #expect(await first.picture(for: try url("a")) != nil)
        await first.store(entry(100_000), for: try url("e"))
        #expect(await first.picture(for: try url("b")) == nil)
        #expect(await first.picture(for: try url("c")) != nil)
        await first.save()
        let second = try StoredPictureCache(storeAt: store, byteLimit: 400_000)
        await second.store(entry(250_000), for: try url("f"))
        // The order of uses: d, a, e, c.
        for (name, isKept) in [("d", false), ("a", false), ("e", false), ("c", true), ("f", true)] {
            #expect((await second.picture(for: try url(name)) != nil) == isKept, "\(name)")
        }
        #expect(second.byteCount == 350_000 && largeFiles.count == 1)
        await second.store(entry(400_001), for: try url("c"))
        #expect(await second.picture(for: try url("c")) == nil)
        #expect(second.byteCount == 250_000)
    }

    @Test("a picture whose external data is gone counts as missing, and can be stored again (WEB-11)")
    func lostFile() async throws {
        let cache = try StoredPictureCache(storeAt: store)
        await cache.store(entry(300_000), for: try url("a"))
        let place = store.deletingLastPathComponent().appendingPathComponent(".pictures_SUPPORT/_EXTERNAL_DATA")
        let name = try #require(largeFiles.first)
        try FileManager.default.removeItem(at: place.appendingPathComponent(name))
        let next = try StoredPictureCache(storeAt: store)
        #expect(await next.picture(for: try url("a")) == nil)
        await next.store(entry(300_000), for: try url("a"))
        #expect(await next.picture(for: try url("a")) == entry(300_000))
    }

    @Test("many rows that ask and store at once leave each its own picture and the right count of bytes (WEB-11)")
    func atOnce() async throws {
        let cache = try StoredPictureCache(storeAt: store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                let url = try url("\(number % 40)")
                let size = 1_000 + number % 40
                let entry = entry(size)
                group.addTask {
                    if let known = await cache.picture(for: url) { #expect(known.data.count == size) }
                    await cache.store(entry, for: url)
                }
            }
            try await group.waitForAll()
        }
        #expect(cache.byteCount == (0..<40).reduce(0) { $0 + 1_000 + $1 })
    }
}
