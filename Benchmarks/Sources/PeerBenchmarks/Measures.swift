import CRawTLS
import Foundation
import LockKit
import MultipeerConnectivity
import PeerKit

/// What is measured, each beside the same over OpenSSL in C in the same run.
enum Measures {
    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func line(_ what: String, _ own: String, _ raw: String, _ ratio: Double) {
        print("\(what): \(own), OpenSSL in C \(raw), ratio \(String(format: "%.2f", ratio))")
    }

    static func rawRoundTrips(_ identity: Data, _ count: Int) -> Double {
        var seconds = [Double](repeating: 0, count: count)
        let made = identity.withUnsafeBytes {
            crawtls_round_trips($0.baseAddress!, $0.count, Int32(count), 100, &seconds)
        }
        precondition(Int(made) == count)
        return median(Array(seconds[(count / 10)...]))
    }

    /// The median round trip of 100 bytes: by delegates, and by the transport beneath them.
    static func roundTrips(_ identity: Data, count: Int) async throws {
        let raw = rawRoundTrips(identity, count)
        let own = try await sessionRoundTrips(count)
        let bare = try await transportRoundTrips(count)
        let raw2 = rawRoundTrips(identity, count)
        let base = (raw + raw2) / 2
        func micro(_ value: Double) -> String { String(format: "%.1f µs", value * 1e6) }
        line("round trip of 100 bytes, sessions", micro(own), micro(base), own / base)
        line("round trip of 100 bytes, transport", micro(bare), micro(base), bare / base)
    }

    /// Each answer is sent by the delegate's method that receives the message before it.
    private static func sessionRoundTrips(_ count: Int) async throws -> Double {
        let pair = ConnectedPair()
        try await pair.connect()
        let trips = RoundTrips(count)
        pair.received = { session, data in
            if session === pair.other {
                try? pair.other.send(data, toPeers: [pair.onePeer], with: .reliable)
            } else if trips.next() {
                try? pair.one.send(data, toPeers: [pair.otherPeer], with: .reliable)
            }
        }
        return await onThread {
            trips.begin()
            try? pair.one.send(Data(count: 100), toPeers: [pair.otherPeer], with: .reliable)
            return trips.median()
        }
    }

    private static func transportRoundTrips(_ count: Int) async throws -> Double {
        let trips = RoundTrips(count)
        let pair = try TransportPair(
            echo: { connection, data in try? connection.send(data) },
            received: { connection, data in if trips.next() { try? connection.send(data) } })
        return await onThread {
            trips.begin()
            try? pair.one.send(Data(count: 100))
            return trips.median()
        }
    }

    static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    /// A file from disk to disk, and how late messages are during the transfer.
    static func transfer(_ identity: Data, bytes: Int, folder: URL) async throws {
        let (from, to) = (folder.appendingPathComponent("from"), folder.appendingPathComponent("to"))
        _ = FileManager.default.createFile(atPath: from.path, contents: nil)
        let handle = try FileHandle(forWritingTo: from)
        let block = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for _ in 0..<(bytes >> 20) { try handle.write(contentsOf: block) }
        try handle.close()
        func raw() -> Double {
            identity.withUnsafeBytes { crawtls_transfer($0.baseAddress!, $0.count, from.path, to.path) }
        }
        let first = raw()
        let (own, late) = try await sessionTransfer(from)
        let base = min(first, raw())
        let rate = { (seconds: Double) in String(format: "%.0f MB/s", Double(bytes) / 1e6 / seconds) }
        line("resource of \(bytes >> 20) MiB", rate(own), rate(base), base / own)
        print(
            "messages beside it: \(late.count), the latest after \(String(format: "%.1f", (late.max() ?? 0) * 1e3)) ms")
    }

    private static func sessionTransfer(_ file: URL) async throws -> (Double, [Double]) {
        let pair = ConnectedPair()
        try await pair.connect()
        let late = Locked<[Double]>([])
        let started = ContinuousClock.now
        pair.received = { _, data in
            let sent = data.withUnsafeBytes { $0.loadUnaligned(as: Double.self) }
            late.withLock { $0.append((ContinuousClock.now - started) / .seconds(1) - sent) }
        }
        let start = ContinuousClock.now
        pair.one.sendResource(at: file, withName: "file", toPeer: pair.otherPeer)
        let seconds = await onThread {
            while pair.resource.wait(timeout: .now() + 0.005) == .timedOut {
                let now = (ContinuousClock.now - started) / .seconds(1)
                try? pair.one.send(withUnsafeBytes(of: now) { Data($0) }, toPeers: [pair.otherPeer], with: .reliable)
            }
            return (ContinuousClock.now - start) / .seconds(1)
        }
        if let url = pair.file.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) }
        return (seconds, late.withLock { $0 })
    }

    /// What an idle peer takes: both ends of a connection are in this process.
    static func memory(peers: Int) async throws {
        var pairs: [ConnectedPair] = []
        let warm = ConnectedPair()
        try await warm.connect()
        let before = resident()
        for _ in 0..<peers {
            let pair = ConnectedPair()
            try await pair.connect()
            pairs.append(pair)
        }
        let bytes = resident() - before
        print("memory of an idle peer with its session, thread and connection: \(bytes / (peers * 2) / 1_024) KiB")
        try await connections(peers)
    }

    /// The same without threads and keys of their own: many connections of one peer.
    private static func connections(_ count: Int) async throws {
        let pair = try TransportPair(echo: { _, _ in }, received: { _, _ in })
        let before = resident()
        let more = try (0..<count).map { _ in try pair.another() }
        let bytes = resident() - before
        print("memory of an idle connection: \(bytes / (more.count * 2) / 1_024) KiB")
    }

    private static func resident() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }
}
