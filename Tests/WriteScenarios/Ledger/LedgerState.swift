import CoreData
import TestBasics

/// What a ledger holds after its n-th save: a function of n alone.
///
/// From one state to the next every row changes, some go, some come, and every relationship is another one.
package struct LedgerState {
    /// One item as it is to be.
    package struct Item {
        package let number: Int
        package let isSpecial: Bool
        package let amount: Double
        package let payload: Data?
        package let shelf: Int
        package let tags: Set<Int>
        package let neighbours: Set<Int>
    }

    package static let shelfCount = 3
    package static let tagCount = 5
    private static let itemCount = 24

    package let number: Int
    package let items: [Item]
    /// The items of each shelf, in their order.
    package let shelves: [[Int]]

    package init(_ number: Int) {
        self.number = number
        // Two items go and two come with every state.
        let numbers = (number * 2)..<(number * 2 + Self.itemCount)
        items = numbers.map { Self.item($0, state: number, among: numbers) }
        shelves = (0..<Self.shelfCount).map { shelf in
            numbers.filter { Self.shelf(of: $0, state: number) == shelf }
                .sorted { (Self.mix($0, number, 4), $0) < (Self.mix($1, number, 4), $1) }
        }
    }

    private static func item(_ item: Int, state: Int, among numbers: Range<Int>) -> Item {
        Item(
            number: item, isSpecial: item % 4 == 0, amount: Double(mix(item, state, 1) % 1_000) / 8,
            payload: payload(of: item, state: state), shelf: shelf(of: item, state: state),
            tags: Set((0..<tagCount).filter { mix(item, state, 10 + $0) % 3 == 0 }),
            neighbours: Set(numbers.filter { mix(item, state, 100 + $0) % 12 == 0 }))
    }

    /// None, a small one that stays in its row, or one so large that it goes to a file of its own.
    private static func payload(of item: Int, state: Int) -> Data? {
        let seed = mix(item, state, 2)
        guard seed % 3 != 0 else { return nil }
        let length = seed % 12 == 1 ? 110_000 + seed % 1_000 : seed % 50
        return Data(repeating: UInt8(truncatingIfNeeded: seed), count: length)
    }

    private static func shelf(of item: Int, state: Int) -> Int { mix(item, state, 3) % shelfCount }

    private static func mix(_ item: Int, _ state: Int, _ purpose: Int) -> Int {
        var random = SeededRandom(seed: UInt64(item * 1_000_003 + state * 7_919 + purpose * 104_729))
        return random.next(below: 1 << 20)
    }

    /// The whole state as text, a line an object; its last line is the counter's.
    package var lines: [String] {
        let body = bodyLines
        return body + ["counter \(number) \(Self.checksum(body))"]
    }

    private var bodyLines: [String] {
        var lines = items.map { item in
            Self.line(
                item.number, isSpecial: item.isSpecial, generation: number, amount: item.amount, payload: item.payload,
                shelf: item.shelf, tags: item.tags.sorted(), neighbours: item.neighbours.sorted())
        }
        for (shelf, members) in shelves.enumerated() { lines.append("shelf \(shelf) \(number) \(members)") }
        return lines
    }

    /// The checksum that the counter's row carries.
    package var checksum: String { Self.checksum(bodyLines) }

    static func line(
        _ number: Int, isSpecial: Bool, generation: Int, amount: Double, payload: Data?, shelf: Int, tags: [Int],
        neighbours: [Int]
    ) -> String {
        let content =
            payload.map { "\($0.count):\(checksum([String(decoding: $0, as: Unicode.ASCII.self)]))" } ?? "none"
        return "item \(number) \(isSpecial) \(generation) \(amount) \(content) \(shelf) \(tags) \(neighbours)"
    }

    /// FNV-1a over the lines.
    static func checksum(_ lines: [String]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for line in lines {
            for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return String(hash, radix: 16)
    }
}
