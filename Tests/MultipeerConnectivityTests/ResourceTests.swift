import Foundation
import LockKit
import MultipeerConnectivity
import PeerKit
import TestBasics
import Testing

struct ResourceTests {
    @Test("a file arrives with its progress at the end (PEER-09)")
    func fileArrives() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let folder = try TemporaryFolder()
        for (name, count) in [("empty", 0), ("large", 3_000_001)] {
            let file = folder.url.appendingPathComponent(name)
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            try bytes.write(to: file)
            let done = Locked<[(any Error)?]>([])
            let progress = try #require(
                anna.session.sendResource(at: file, withName: name, toPeer: ben.peer) { error in
                    done.withLock { $0.append(error) }
                })
            await eventually("both sides") {
                done.withLock { !$0.isEmpty } && ben.record.withLock { $0.resources.contains { $0.name == name } }
            }
            #expect(done.withLock { $0.count == 1 && $0[0] == nil })
            #expect(progress.completedUnitCount == Int64(count))
            if count > 0 { #expect(progress.fractionCompleted == 1) }
            let received = try #require(ben.record.withLock { $0.resources.last }).result.get()
            defer { try? FileManager.default.removeItem(at: received) }
            #expect(try Data(contentsOf: received) == bytes)
        }
    }

    @Test("a resource that cannot be sent is an error in the completion (PEER-09)")
    func missingFileIsAnError() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let done = Locked<[(any Error)?]>([])
        let urls = [
            URL(fileURLWithPath: "/nothing/here"), URL(fileURLWithPath: "/"), URL(string: "https://example.org/a")!,
        ]
        for url in urls {
            #expect(
                anna.session.sendResource(at: url, withName: "a", toPeer: ben.peer) { error in
                    done.withLock { $0.append(error) }
                } == nil)
        }
        await eventually("three errors") { done.withLock { $0.count == 3 } }
        #expect(done.withLock { $0.allSatisfy { $0 != nil } })
    }

    @Test("a resource that is cancelled ends on both sides (PEER-09)")
    func cancelledResourceEnds() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("large")
        try Data(count: 200_000_000).write(to: file)
        let done = Locked<[(any Error)?]>([])
        let progress = try #require(
            anna.session.sendResource(at: file, withName: "large", toPeer: ben.peer) { error in
                done.withLock { $0.append(error) }
            })
        await eventually("it has begun") { progress.completedUnitCount > 0 }
        progress.cancel()
        await eventually("both sides") {
            done.withLock { !$0.isEmpty } && ben.record.withLock { !$0.resources.isEmpty }
        }
        #expect(done.withLock { ($0[0] as? MCError)?.code == .cancelled })
        #expect(throws: MCError.self) { try ben.record.withLock { $0.resources[0].result }.get() }
        // The connection is as before.
        try anna.session.send(Data([1]), toPeers: [ben.peer], with: .reliable)
        await eventually("a message") { ben.messages(from: anna) == [Data([1])] }
    }

    @Test("a resource above the receiver's limit is refused (PEER-09)")
    func largeResourceIsRefused() async throws {
        let (anna, ben) = try await MessageTests.pair()
        ben.session.maximumResourceSize = 1_000
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("large")
        try Data(count: 1_001).write(to: file)
        let done = Locked<[(any Error)?]>([])
        anna.session.sendResource(at: file, withName: "large", toPeer: ben.peer) { error in
            done.withLock { $0.append(error) }
        }
        await eventually("the refusal") { done.withLock { !$0.isEmpty } }
        #expect(done.withLock { ($0.first as? MCError)?.reason.contains("at most 1000 bytes") == true })
    }

    @Test("a named stream brings 10 MB through a slow reader (PEER-09, PEER-14)")
    func streamBringsBytes() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let output = try anna.session.startStream(withName: "numbers", toPeer: ben.peer)
        let bytes = [UInt8]((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) })
        Thread.detachNewThread { [box = Unchecked(output)] in
            let output = box.value
            output.open()
            var place = 0
            while place < bytes.count {
                let count = bytes[place...].withUnsafeBufferPointer {
                    output.write($0.baseAddress!, maxLength: $0.count)
                }
                guard count > 0 else { break }
                place += count
            }
            output.close()
        }
        await eventually("the stream") { ben.record.withLock { !$0.streams.isEmpty } }
        let (name, input) = ben.record.withLock { ($0.streams[0].name, $0.streams[0].stream) }
        #expect(name == "numbers")
        input.open()
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 50_000)
        while true {
            let count = input.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { break }
            received += buffer[..<count]
            if received.count % 7 == 0 { usleep(200) }
        }
        #expect(received == bytes)
        #expect(input.streamStatus == .atEnd)
    }

    @Test("streams report to a delegate on a run loop (PEER-09)")
    func streamsReportOnRunLoop() async throws {
        let (anna, ben) = try await MessageTests.pair()
        let reader = StreamReader()
        let output = try anna.session.startStream(withName: "words", toPeer: ben.peer)
        output.open()
        let words = Array("a stream of words".utf8)
        #expect(output.write(words, maxLength: words.count) == words.count)
        output.close()
        await eventually("the stream") { ben.record.withLock { !$0.streams.isEmpty } }
        let input = Unchecked(ben.record.withLock { $0.streams[0].stream })
        Thread.detachNewThread {
            input.value.delegate = reader
            input.value.schedule(in: .current, forMode: .default)
            input.value.open()
            let end = Date(timeIntervalSinceNow: 20)
            while !reader.hasEnded.withLock({ $0 }), end > Date() {
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
            }
        }
        await eventually("the end") { reader.hasEnded.withLock { $0 } }
        #expect(reader.bytes.withLock { $0 } == words)
    }
}

/// A value that a test hands to another thread and uses there alone.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

private final class StreamReader: NSObject, StreamDelegate, Sendable {
    let bytes = Locked<[UInt8]>([])
    let hasEnded = Locked(false)

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 5)
            let count = (stream as? InputStream)?.read(&buffer, maxLength: 5) ?? 0
            bytes.withLock { $0 += buffer.prefix(max(0, count)) }
        case .endEncountered: hasEnded.withLock { $0 = true }
        default: break
        }
    }
}
