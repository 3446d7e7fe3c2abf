import Foundation
import TestBasics
import Testing

@testable import CoreDataTransfer

@Suite struct PictureCacheTests {
    private let folder: TemporaryFolder
    private let later = Date(timeIntervalSince1970: 1_900_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: "/\(name)") }
    private func entry(_ count: Int, tag: String? = nil) -> CachedPicture {
        CachedPicture(data: Data(repeating: 7, count: count), entityTag: tag, freshUntil: later)
    }

    @Test("a cache in memory keeps to its limit, and those least recently used go first (WEB-11)")
    func memory() throws {
        let cache = MemoryPictureCache(byteLimit: 300)
        for name in ["a", "b", "c"] { cache.store(entry(100), for: url(name)) }
        #expect(cache.picture(for: url("a")) != nil)
        cache.store(entry(100), for: url("d"))
        #expect(cache.picture(for: url("b")) == nil)
        #expect(["a", "c", "d"].allSatisfy { cache.picture(for: url($0)) != nil })
        #expect(cache.byteCount == 300)
        cache.store(entry(250), for: url("c"))
        #expect(cache.byteCount == 250)
        // One that is larger than all may be leaves the others, and not its old version.
        cache.store(entry(301), for: url("c"))
        #expect(cache.byteCount == 0 && cache.picture(for: url("c")) == nil)
    }

    @Test("a cache in a folder keeps to its limit, is there for the next process, and is the owner's alone (WEB-11)")
    func files() throws {
        let place = folder.url.appendingPathComponent("pictures")
        let size = try #require(FolderPictureCache.file(entry(10_000, tag: "\"1\""), url("a"))).count
        let cache = try FolderPictureCache(folder: place, byteLimit: 3 * size)
        for name in ["a", "b", "c"] { cache.store(entry(10_000, tag: "\"1\""), for: url(name)) }
        #expect(cache.byteCount == 3 * size)
        #expect(cache.picture(for: url("a")) == entry(10_000, tag: "\"1\""))
        cache.store(entry(10_000, tag: "\"1\""), for: url("d"))
        #expect(cache.picture(for: url("b")) == nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: place.path)
        #expect(files.count == 3)
        for name in files + ["."] {
            let attributes = try FileManager.default.attributesOfItem(atPath: place.appendingPathComponent(name).path)
            let mode = try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
            #expect(mode & 0o077 == 0, "\(name)")
        }
        // By the times of the files: "c" was not used since it was stored.
        for (index, name) in ["c", "a", "d"].enumerated() {
            let file = place.appendingPathComponent(FolderPictureCache.name(url(name)))
            let time = Date(timeIntervalSince1970: 1_000_000 + Double(index))
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
        }
        let next = try FolderPictureCache(folder: place, byteLimit: 2 * size)
        #expect(next.picture(for: url("c")) == nil)
        #expect(next.picture(for: url("a")) != nil && next.picture(for: url("d")) != nil)
        next.remove(for: url("a"))
        #expect(next.picture(for: url("a")) == nil && next.byteCount == size)
    }

    @Test("a damaged file, and one of another URL, count as missing (WEB-11)")
    func damagedFiles() throws {
        let cache = try FolderPictureCache(folder: folder.url)
        let (own, other) = (url("a"), url("b"))
        cache.store(entry(500), for: own)
        let file = folder.url.appendingPathComponent(FolderPictureCache.name(own))
        let whole = try Data(contentsOf: file)
        for count in [0, 7, 11, 40, whole.count - 1] {
            try whole.prefix(count).write(to: file)
            #expect(cache.picture(for: own) == nil, "\(count)")
        }
        var large = whole
        for place in 8..<12 { large[place] = 0xFF }
        try large.write(to: file)
        #expect(cache.picture(for: own) == nil)
        try whole.write(to: folder.url.appendingPathComponent(FolderPictureCache.name(other)))
        #expect(cache.picture(for: other) == nil)
        try whole.write(to: file)
        #expect(cache.picture(for: own) == entry(500))
    }

    @Test("the order of use is right after each of many random operations (WEB-11)")
    func order() {
        var random = SeededRandom(seed: 3)
        var order = LeastRecentlyUsed<Int>()
        var expected: [(key: Int, size: Int)] = []
        for _ in 0..<5_000 {
            let key = Int.random(in: 0..<20, using: &random)
            let size = Int.random(in: 1...9, using: &random)
            let index = expected.firstIndex { $0.key == key }
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                if let index { expected.remove(at: index) }
                expected.append((key, size))
                order.insert(key, size: size)
            case 2:
                #expect(order.use(key) == (index != nil))
                if let index { expected.append(expected.remove(at: index)) }
            default:
                if let index { expected.remove(at: index) }
                order.remove(key)
            }
            #expect(order.totalSize == expected.reduce(0) { $0 + $1.size } && order.count == expected.count)
            if order.totalSize > 60 {
                var removed: [Int] = []
                while expected.reduce(0, { $0 + $1.size }) > 50 { removed.append(expected.removeFirst().key) }
                #expect(order.shrink(to: 50) == removed)
            }
        }
    }
}
