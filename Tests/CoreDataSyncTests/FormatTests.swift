import CoreDataSync
import Foundation
import TestBasics
import Testing

@Suite("The bytes of sync")
struct FormatTests {
    static let vectors: [(name: String, value: SyncValue)] = [
        ("null", .null), ("no", .bool(false)), ("yes", .bool(true)), ("one", .int(1)), ("minus one", .int(-1)),
        ("greatest integer", .int(.max)), ("least integer", .int(.min)), ("float", .float(1.5)),
        ("one as a double", .double(1)), ("minus zero", .double(-0.0)), ("infinity", .double(.infinity)),
        ("year 1", .date(-63_114_076_800)), ("half a second", .date(0.5)),
        ("thirty digits", .decimal(Decimal(string: "123456789012345678901234567890") ?? 0)),
        ("small decimal", .decimal(Decimal(string: "-0.00000000000000000001") ?? 0)), ("text", .string("Zoë 👩‍🚀")),
        ("data", .data([0, 255, 10])),
        ("uuid", .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))),
        ("uri", .uri("https://example.org/ü")), ("list", .array([.int(1), .bool(true), .array([.null])])),
        (
            "large",
            .large(
                LargeValue(
                    .string,
                    chunks: [1, 2].map {
                        LargeValue.Chunk(
                            digest: ChunkDigest([UInt8](repeating: UInt8($0), count: 32))!, size: $0 * 1_000)
                    }))
        ), ("later kind", .unknown(tag: 40, bytes: [1, 2])),
    ]

    private static func frame() -> [UInt8] {
        let author = PeerID(0x0102_0304_0506_0708)
        let object = ObjectIdentity(TransactionID(author, 1), 0)
        let operations =
            [SyncOperation.create(ordinal: 0, entity: SchemaID(entity: "Hero"))]
            + vectors.map { .set(object, SchemaID(entity: "Hero", property: $0.name), $0.value) }
        let transaction = SyncTransaction(
            TransactionID(author, 1), time: HybridTime(milliseconds: 1_700_000_000_000, counter: 3),
            operations: operations)
        return SyncFrame.encode(.transactions([transaction]))
    }

    @Test("every kind of value comes back as it was")
    func valuesComeBack() throws {
        for (name, value) in Self.vectors {
            var reader = ByteReader(value.encoded)
            let read = try reader.value()
            #expect(read == value, "\(name)")
            #expect(reader.remaining == 0)
        }
        #expect(
            SyncValue.double(-0.0) != .double(0) && SyncValue.bool(true) != .int(1) && SyncValue.int(1) != .double(1))
    }

    @Test("a frame with any bit turned over is refused (HAZ-58)")
    func flippedBitsAreRefused() throws {
        let frame = Self.frame()
        for bit in 0..<(frame.count * 8) {
            var damaged = frame
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: FormatError.self) { try SyncFrame.decode(damaged) }
        }
        for count in 0..<frame.count {
            #expect(throws: FormatError.self) { try SyncFrame.decode(Array(frame[..<count])) }
        }
        #expect(throws: FormatError.self) { try SyncFrame.decode(frame + [0]) }
    }

    @Test("frames of random content behind a right checksum never trap (HAZ-58)")
    func randomContentIsRefused() throws {
        var random = SeededRandom(seed: TestSeed.first)
        for kind in 1...6 {
            for _ in 0..<400 {
                var bytes = Array("OCSY".utf8) + [1, UInt8(kind)]
                for _ in 0..<random.next(below: 60) {
                    bytes.append(UInt8(truncatingIfNeeded: random.next() >> UInt64(random.next(below: 8))))
                }
                var tail = ByteWriter()
                tail.write(fixed: UInt64(SyncFrame.checksum(bytes)), count: 4)
                if let message = try? SyncFrame.decode(bytes + tail.bytes) {
                    #expect(try SyncFrame.decode(SyncFrame.encode(message)) == message)
                }
            }
        }
    }

    @Test("a changed attribute takes 40 bytes at most in the median (SYNC-11)")
    func changesAreSmall() throws {
        let author = PeerID(.max)
        let transactions = (1...200).map { sequence in
            let object = ObjectIdentity(TransactionID(PeerID(7), UInt64(sequence * 40)), 3)
            return SyncTransaction(
                TransactionID(author, 10_000 + UInt64(sequence)),
                time: HybridTime(milliseconds: 1_700_000_000_000 + UInt64(sequence) * 3_000),
                dependencies: [TransactionID(PeerID(7), UInt64(sequence * 41))],
                operations: [.set(object, SchemaID(entity: "Hero", property: "name"), .string("Superman"))])
        }
        #expect(SyncFrame.encode(.transactions(transactions)).count <= 40 * transactions.count)
    }

    @Test("the second reader, in Python, reads the vectors and the logs of peers as this one does")
    func secondReaderAgrees() throws {
        var frames = [Self.frame()]
        for seed in 1...3 as ClosedRange<UInt64> { frames += try RecordedFrames.frames(seed: seed) }
        let folder = try TemporaryFolder()
        let input = folder.url.appendingPathComponent("frames.txt")
        try frames.map { $0.map { String(format: "%02x", $0) }.joined() }.joined(separator: "\n")
            .write(to: input, atomically: true, encoding: .utf8)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "sync_reader.py")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, input.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let expected = try frames.flatMap { try RecordedFrames.lines(of: $0) }
        #expect(text.split(separator: "\n").map(String.init) == expected)
        #expect(expected.count > 100)
    }
}
