import Foundation
import PeerKit
import TestBasics
import Testing

struct FrameReaderTests {
    private func frames(of bytes: [UInt8], cutAt cuts: [Int], limit: Int = 1 << 20) throws -> [[UInt8]] {
        var reader = FrameReader(limit: limit)
        var found: [[UInt8]] = []
        let places = [0] + cuts.sorted() + [bytes.count]
        for (start, end) in zip(places, places.dropFirst()) {
            try Array(bytes[start..<end]).withUnsafeBytes { part in
                try reader.append(part) { found.append(Array($0)) }
            }
        }
        #expect(reader.heldBytes == 0)
        return found
    }

    private func stream(_ packets: [[UInt8]]) -> [UInt8] {
        packets.flatMap { packet in withUnsafeBytes(of: UInt64(packet.count).bigEndian) { Array($0) } + packet }
    }

    @Test("any two cuts of a stream give the packets that were sent (PEER-13)")
    func anyCutGivesThePackets() throws {
        let packets: [[UInt8]] = [[], [1], [2, 3, 4], Array(repeating: 7, count: 20), []]
        let bytes = stream(packets)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                #expect(try frames(of: bytes, cutAt: [first, second]) == packets)
            }
        }
    }

    @Test("bytes that come one by one, and frames that come together, give the same packets (PEER-13)")
    func randomCutsGiveThePackets() throws {
        var random = SeededRandom(seed: TestSeed.first)
        for _ in 0..<50 {
            let packets = (0..<random.next(below: 20)).map { _ in
                (0..<random.next(below: 5_000)).map { UInt8(truncatingIfNeeded: $0) }
            }
            let bytes = stream(packets)
            let cuts = (0..<random.next(below: 200)).map { _ in random.next(below: bytes.count + 1) }
            #expect(try frames(of: bytes, cutAt: cuts) == packets)
        }
        let packets: [[UInt8]] = [[9, 8], [7]]
        #expect(try frames(of: stream(packets), cutAt: Array(1..<stream(packets).count)) == packets)
    }

    @Test("a length above the limit is refused before memory is taken (PEER-13)")
    func lyingLengthIsRefused() throws {
        for length in [1_025, UInt64.max, UInt64(Int.max), 1 << 40] {
            let bytes = withUnsafeBytes(of: length.bigEndian) { Array($0) }
            var reader = FrameReader(limit: 1_024)
            for part in [Array(bytes[..<3]), Array(bytes[3...])] {
                if part.count == 3 {
                    try part.withUnsafeBytes { try reader.append($0) { _ in } }
                } else {
                    let error = #expect(throws: PeerFailure.self) {
                        try part.withUnsafeBytes { try reader.append($0) { _ in } }
                    }
                    #expect(error?.code == .invalid)
                }
            }
            #expect(throws: PeerFailure.self) { try [0, 0].withUnsafeBytes { try reader.append($0) { _ in } } }
        }
    }
}
