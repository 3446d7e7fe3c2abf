import CoreDataSync
import TestBasics

/// Large values of simulated users: of a few hundred bytes, in chunks of a few dozen.
package enum SimulatedChunks {
    package static let cutter = ChunkCutter(threshold: 0, leastSize: 8, greatestSize: 64, bits: 3)

    /// A digest that takes less time than the one of the format.
    package static func digest(_ bytes: [UInt8]) -> ChunkDigest? {
        var words: [UInt64] = [1, 2, 3, 4]
        for byte in bytes {
            for index in 0..<4 {
                words[index] = (words[index] ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 &+ UInt64(index)
            }
        }
        return ChunkDigest(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
    }

    /// A frame that was changed on its way and has a right checksum.
    static func damaged(_ frame: [UInt8]) throws -> [UInt8] {
        guard case .chunk(var content) = try SyncFrame.decode(frame), !content.isEmpty else { return frame }
        content[content.count / 2] ^= 1
        return SyncFrame.encode(.chunk(content))
    }
}

extension SimulatedStore {
    /// The value of bytes, which the store has from now on.
    mutating func largeValue(_ bytes: [UInt8]) -> SyncValue {
        var chunks: [LargeValue.Chunk] = []
        bytes.withUnsafeBytes { buffer in
            SimulatedChunks.cutter.cut(buffer) { part in
                guard let digest = SimulatedChunks.digest(Array(part)) else { return }
                contents[digest] = Array(part)
                chunks.append(LargeValue.Chunk(digest: digest, size: part.count))
            }
        }
        return .large(LargeValue(.data, chunks: chunks))
    }

    /// The bytes of a value that a row has.
    func bytes(of value: SyncValue?) -> [UInt8] { (value?.chunks ?? []).flatMap { contents[$0.digest] ?? [] } }

    /// Puts the chunks of saves beside the state, as an adapter does before it gives the saves to the engine.
    mutating func keepChunks(of changes: [LocalChange], at now: UInt64) throws {
        for chunk in changes.flatMap({ $0.values.values.flatMap(\.chunks) }) {
            guard try !ChunkTable.contains(chunk.digest, state), let content = contents[chunk.digest] else { continue }
            state.apply(try ChunkTable.entries(chunk.digest, content, at: now))
        }
    }

    /// Takes the chunks of rows that a plan changed out of the state.
    mutating func readChunks(of row: SyncRow, _ faults: inout [String]) {
        for chunk in row.values.values.flatMap(\.chunks) {
            let content = state.value(for: ChunkTable.contentKey(chunk.digest))
            guard let content, SimulatedChunks.digest(content) == chunk.digest else {
                faults.append("\(row.id) is shown with a chunk that is missing or damaged")
                continue
            }
            contents[chunk.digest] = content
        }
    }
}

/// A user who changes large values of people.
struct PortraitUser {
    var random: SeededRandom

    /// - Parameter people: The values of people by the numbers of their rows.
    mutating func change(_ people: [(number: Int, value: SyncValue?)], _ store: inout SimulatedStore) -> (
        number: Int, value: SyncValue
    )? {
        guard !people.isEmpty, random.next(below: 3) == 0 else { return nil }
        let person = people[random.next(below: people.count)]
        let other = people[random.next(below: people.count)]
        var bytes = store.bytes(of: person.value)
        switch random.next(below: 6) {
        case 0: return (person.number, .null)
        case 1: bytes = store.bytes(of: other.value)
        case 2: bytes.insert(UInt8(random.next(below: 256)), at: 0)
        case 3: if !bytes.isEmpty { bytes[random.next(below: bytes.count)] ^= 1 }
        default: bytes = (0..<(20 + random.next(below: 300))).map { _ in UInt8(random.next(below: 256)) }
        }
        return (person.number, bytes.isEmpty ? .null : store.largeValue(bytes))
    }
}
