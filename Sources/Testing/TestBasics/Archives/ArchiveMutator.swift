import Foundation

/// Damages binary property lists in random bytes and, as an attacker would, in references, offsets and sizes.
package struct ArchiveMutator {
    private let corpus: [[UInt8]]
    /// For each file, the offsets of its objects according to its offset table.
    private let starts: [[Int]]

    package init(_ corpus: [Data]) {
        self.corpus = corpus.map { [UInt8]($0) }.sorted { $0.count < $1.count }
        starts = self.corpus.map(Self.objectStarts)
    }

    private static func objectStarts(_ bytes: [UInt8]) -> [Int] {
        let trailer = bytes.count - 32
        func number(_ offset: Int, _ size: Int) -> Int { bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) } }
        let size = Int(bytes[trailer + 6])
        let table = number(trailer + 24, 8)
        return (0..<number(trailer + 8, 8)).map { number(table + $0 * size, size) }
    }

    /// One of the files with one to four damages.
    package func mutation(_ random: inout SeededRandom) -> Data {
        // The smaller half is used mostly: it tests the reader as well as the large files, in a tenth of the time.
        let isAny = random.next(below: 50) == 0
        let file = isAny ? random.next(below: corpus.count) : random.next(below: (corpus.count + 1) / 2)
        var bytes = corpus[file]
        for _ in 0...random.next(below: 4) { damage(&bytes, starts: starts[file], random: &random) }
        return Data(bytes)
    }

    private func damage(_ bytes: inout [UInt8], starts: [Int], random: inout SeededRandom) {
        guard bytes.count > 48 else { return }
        switch random.next(below: 10) {
        case 0: bytes[random.next(below: bytes.count)] ^= 1 << UInt8(random.next(below: 8))
        case 1: bytes[random.next(below: bytes.count)] = UInt8(random.next(below: 256))
        case 2: bytes.removeLast(random.next(below: bytes.count / 2))
        case 3: splice(&bytes, &random)
        case 4:
            // The trailer: sizes, count, top object, offset table.
            bytes[bytes.count - 1 - random.next(below: 26)] =
                [0, 1, 2, 7, 8, 9, 0x7F, 0x80, 0xFF][random.next(below: 9)]
        case 5: changeMarker(&bytes, starts: starts, random: &random)
        case 6, 7: retarget(&bytes, starts: starts, random: &random)
        case 8: swapOffsets(&bytes, &random)
        default: nameAnotherClass(&bytes, &random)
        }
    }

    /// Copies up to 64 bytes of a random file over, or into, a random place.
    private func splice(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let source = corpus[random.next(below: corpus.count)]
        let start = random.next(below: source.count)
        let stretch = source[start..<min(source.count, start + 1 + random.next(below: 64))]
        let place = random.next(below: bytes.count)
        let end = random.next(below: 2) == 0 ? place : min(bytes.count, place + stretch.count)
        bytes.replaceSubrange(place..<end, with: stretch)
    }

    /// Changes the marker byte of an object: its kind or length.
    private func changeMarker(_ bytes: inout [UInt8], starts: [Int], random: inout SeededRandom) {
        let place = starts[random.next(below: starts.count)]
        guard place < bytes.count else { return }
        bytes[place] = random.next(below: 2) == 0 ? UInt8(random.next(below: 256)) : bytes[place] ^ 0x0F
    }

    /// Changes a reference of the archive to another object, which can create a cycle or put a class in place of an
    /// instance.
    private func retarget(_ bytes: inout [UInt8], starts: [Int], random: inout SeededRandom) {
        for _ in 0..<20 {
            let place = starts[random.next(below: starts.count)]
            guard place + 2 < bytes.count, bytes[place] & 0xF0 == 0x80 else { continue }
            bytes[place + 1 + Int(bytes[place] & 1)] = UInt8(random.next(below: 256))
            return
        }
    }

    /// Swaps two entries of the offset table, so that references to one object lead to the other.
    private func swapOffsets(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let trailer = bytes.count - 32
        let size = Int(bytes[trailer + 6])
        let table = bytes[(trailer + 24)...].prefix(8).reduce(0) { ($0 << 8 | Int($1)) & 0xFF_FFFF }
        guard (1...4).contains(size), table > 8, table + 2 * size < trailer else { return }
        let count = (trailer - table) / size
        let (one, other) = (table + random.next(below: count) * size, table + random.next(below: count) * size)
        for index in 0..<size { bytes.swapAt(one + index, other + index) }
    }

    /// Replaces one byte after an `NS` with a random capital letter, so that class names and keys change.
    private func nameAnotherClass(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let start = random.next(below: bytes.count - 8)
        let window = bytes[start..<min(bytes.count, start + 512)]
        guard
            let place = zip(window.indices, window.indices.dropFirst()).first(where: {
                bytes[$0] == 0x4E && bytes[$1] == 0x53
            })?.0
        else { return }
        let end = min(bytes.count, place + 3 + random.next(below: 8))
        bytes[end - 1] = UInt8(ascii: "A") + UInt8(random.next(below: 26))
    }
}
