import CoreDataSync
import CoreDataSyncing
import Foundation
import TestBasics
import Testing

@Suite("Cutting into chunks")
struct ChunkFormatTests {
    /// The bytes of the vectors: the upper ones of a linear congruential generator.
    private static func bytes(_ count: Int, from start: UInt64 = 0) -> [UInt8] {
        var state = start
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    private static func chunks(_ bytes: [UInt8], _ cutter: ChunkCutter = .format) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        bytes.withUnsafeBytes { buffer in cutter.cut(buffer) { chunks.append(Array($0)) } }
        return chunks
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        chunks(bytes).map { "\($0.count) \(ChunkDigest.sha256(of: $0)?.description ?? "")" }
    }

    @Test("the second reader, in Python, cuts and names chunks as this one does (SYNC-11)")
    func secondReaderAgrees() throws {
        let inputs = [Self.bytes(600_000), [UInt8](repeating: 0, count: 300_000), Self.bytes(40_000, from: 7), [1]]
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("values.txt")
        try inputs.map { $0.map { String(format: "%02x", $0) }.joined() }.joined(separator: "\n")
            .write(to: file, atomically: true, encoding: .utf8)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("CoreDataSyncTests/sync_reader.py")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, "--cut", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text.split(separator: "\n").map(String.init) == inputs.flatMap { Self.lines($0) })
    }

    @Test("the vectors of Docs/SyncFormat.md hold")
    func vectorsHold() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Docs/SyncFormat.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for line in Self.lines(Self.bytes(600_000)) {
            let parts = line.split(separator: " ")
            #expect(text.contains("| \(parts[0]) | `\(parts[1])` |"), "\(line)")
        }
    }

    @Test("chunks are the bytes in order, within their bounds, and an insertion changes few of them (SYNC-11)")
    func chunksFollowTheContent() {
        let cutter = ChunkCutter(threshold: 0, leastSize: 512, greatestSize: 4_096, bits: 10)
        let bytes = Self.bytes(500_000)
        let chunks = Self.chunks(bytes, cutter)
        #expect(Array(chunks.joined()) == bytes)
        #expect(chunks.dropLast().allSatisfy { $0.count >= 512 && $0.count <= 4_096 })
        #expect(chunks.count > 250 && chunks.count < 500)
        let known = Set(chunks)
        for changed in [
            [1, 2, 3] + bytes, bytes + [1], Array(bytes.dropFirst(77)),
            Array(bytes[..<250_000] + [9] + bytes[250_000...]),
        ] {
            #expect(Self.chunks(changed, cutter).count { !known.contains($0) } <= 4)
        }
        #expect(Self.chunks([], cutter).isEmpty)
        #expect(Self.chunks([5], cutter) == [[5]])
    }

    @Test("large values with chunks of no size, of too great ones, or too many are refused (HAZ-58)")
    func hostileValuesAreRefused() throws {
        let digest = try #require(ChunkDigest.sha256(of: [1]))
        func value(_ sizes: [Int], kind: UInt8 = 8) -> [UInt8] {
            var writer = ByteWriter()
            writer.write(byte: 13)
            writer.write(byte: kind)
            writer.write(count: sizes.count)
            for size in sizes {
                writer.write(raw: digest.bytes)
                writer.write(count: size)
            }
            return writer.bytes
        }
        func read(_ bytes: [UInt8]) throws -> SyncValue {
            var reader = ByteReader(bytes)
            return try reader.value()
        }
        #expect(try read(value([1, 262_144])).chunks.count == 2)
        for bytes in [
            value([0]), value([262_145]), value([1], kind: 12), value([1]).dropLast(),
            value([Int](repeating: 262_144, count: 8_193)), value([Int](repeating: 1, count: 131_073)),
        ] {
            #expect(throws: FormatError.self) { try read(Array(bytes)) }
        }
        #expect(ChunkDigest("zz") == nil && ChunkDigest([1, 2]) == nil)
        #expect(ChunkDigest(digest.description) == digest)
    }
}
