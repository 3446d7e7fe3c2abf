import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

@Suite("Folder transport")
struct FolderTransportTests {
    @Test("hostile files are refused once, reported and left as they are")
    func hostileFilesAreLeft() async throws {
        let folder = try TemporaryFolder()
        let shared = folder.url.appendingPathComponent("shared")
        let first = try SyncPeer(over: FolderTransport(shared))
        let second = try SyncPeer(over: FolderTransport(shared))
        _ = first.insert("Item", "one")
        try first.save()
        try await first.session.join()
        try await second.session.join()
        try await settle([first, second])
        _ = first.insert("Item", "two")
        try first.save()
        _ = try await first.session.exchange()
        let names = try FileManager.default.contentsOfDirectory(atPath: shared.path).filter { $0.contains("-t-") }
        let name = try #require(names.first)
        let good = try Data(contentsOf: shared.appendingPathComponent(name))
        var hostile: [String: Data] = [
            "empty.ocsync": Data(), "noise.ocsync": Data((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 7) }),
            "short.ocsync": good.dropLast(3),
        ]
        for place in stride(from: 0, to: good.count, by: 5) {
            var changed = good
            changed[changed.startIndex + place] ^= 0x10
            hostile["bit\(place).ocsync"] = changed
        }
        for (name, bytes) in hostile { try bytes.write(to: shared.appendingPathComponent(name)) }
        try FileManager.default.createSymbolicLink(
            atPath: shared.appendingPathComponent("link.ocsync").path, withDestinationPath: "/dev/zero")
        mkfifo(shared.appendingPathComponent("pipe.ocsync").path, 0o644)
        let summary = try await second.session.exchange()
        #expect(Set(summary.refused.map(\.item)) == Set(hostile.keys))
        #expect(try await second.session.exchange().refused.isEmpty)
        #expect(try await second.session.status().refusedItems.count == hostile.count)
        for (name, bytes) in hostile { #expect(try Data(contentsOf: shared.appendingPathComponent(name)) == bytes) }
        #expect(try second.dump() == first.dump())
    }

    @Test("what file-syncing programs leave is read by content, or passed over")
    func conflictCopiesAreRead() async throws {
        let folder = try TemporaryFolder()
        let shared = folder.url.appendingPathComponent("shared")
        let other = folder.url.appendingPathComponent("other")
        let first = try SyncPeer(over: FolderTransport(shared))
        let second = try SyncPeer(over: FolderTransport(other))
        _ = first.insert("Item", "one")
        try first.save()
        try await first.session.join(.founding)
        try await second.session.join(.joining)
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        /// Copies the files of one folder to the other, as a program does that renames some and cuts some first.
        func carry(_ from: URL, _ to: URL) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: from.path)
            where !name.contains("conflict") && !name.hasPrefix(".") {
                let bytes = try Data(contentsOf: from.appendingPathComponent(name))
                let upper = name.uppercased().replacingOccurrences(
                    of: ".OCSYNC", with: ".sync-conflict-20260101-000000-XYZ.OCSYNC")
                try bytes.write(to: to.appendingPathComponent(upper))
                try bytes.prefix(bytes.count / 2).write(to: to.appendingPathComponent("." + name + ".Xk2d9a"))
                try Data().write(to: to.appendingPathComponent(name + ".state.sync-conflict-20260101-000000-XYZ.state"))
            }
        }
        for _ in 0..<4 {
            _ = try await first.session.exchange()
            try carry(shared, other)
            _ = try await second.session.exchange()
            try carry(other, shared)
        }
        #expect(try second.dump() == first.dump())
        #expect(try second.dump().contains("label=one"))
    }

    @Test("own files have no upper-case letters, do not begin with a dot, and leave no temporary ones")
    func namesArePlain() async throws {
        let folder = try TemporaryFolder()
        let peers = [try SyncPeer(over: FolderTransport(folder.url)), try SyncPeer(over: FolderTransport(folder.url))]
        for peer in peers {
            _ = peer.insert("Item", "one")
            try peer.save()
            try await peer.session.join()
        }
        try await settle(peers)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!names.isEmpty)
        #expect(names.allSatisfy { $0 == $0.lowercased() && !$0.hasPrefix(".") && $0.hasSuffix(".ocsync") })
    }
}
