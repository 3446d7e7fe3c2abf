import CoreDataFoundation

/// Writes binary property lists (`bplist00`); the same list always gives the same bytes.
///
/// Keys are written in the order of their bytes, and equal values that are no containers once.
/// Foundation's serialization knows no references of keyed archives. Containers may nest as deep as the stack allows.
struct PropertyListWriter {
    private enum Node {
        case scalar([UInt8])
        case array([Int])
        /// The keys, then the values.
        case dictionary([Int])
    }

    private var nodes: [Node] = []
    private var scalars: [[UInt8]: Int] = [:]

    static func write(_ list: PropertyList) -> Data {
        var writer = PropertyListWriter()
        let top = writer.add(list)
        return writer.file(top: top)
    }

    // MARK: Objects

    private mutating func add(_ value: PropertyList) -> Int {
        switch value {
        case .array(let values), .set(let values):
            let place = reserve()
            nodes[place] = .array(values.map { add($0) })
            return place
        case .dictionary(let pairs):
            let place = reserve()
            let sorted = pairs.sorted { $0.key.precedesInBytes($1.key) }
            let keys = sorted.map { add(.string($0.key)) }
            nodes[place] = .dictionary(keys + sorted.map { add($0.value) })
            return place
        default: return add(bytes: Self.bytes(of: value))
        }
    }

    private mutating func reserve() -> Int {
        nodes.append(.scalar([]))
        return nodes.count - 1
    }

    private mutating func add(bytes: [UInt8]) -> Int {
        if let known = scalars[bytes] { return known }
        nodes.append(.scalar(bytes))
        scalars[bytes] = nodes.count - 1
        return nodes.count - 1
    }

    private static func bytes(of value: PropertyList) -> [UInt8] {
        switch value {
        case .boolean(let flag): [flag ? 0x09 : 0x08]
        case .integer(let number): integer(number)
        case .unsigned(let number): [0x14] + bigEndian(0, 8) + bigEndian(number, 8)
        case .real(let number): [0x23] + bigEndian(number.bitPattern, 8)
        case .date(let date): [0x33] + bigEndian(date.timeIntervalSinceReferenceDate.bitPattern, 8)
        case .data(let data): marker(0x40, count: data.count) + data
        case .string(let text): string(text)
        case .uid(let number): uid(UInt64(number))
        case .null, .array, .set, .dictionary: [0x00]
        }
    }

    private static func integer(_ number: Int64) -> [UInt8] {
        guard number >= 0 else { return [0x13] + bigEndian(UInt64(bitPattern: number), 8) }
        let size = integerSize(UInt64(number))
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(UInt64(number), size)
    }

    private static func uid(_ number: UInt64) -> [UInt8] {
        let size = integerSize(number)
        return [0x80 | UInt8(size - 1)] + bigEndian(number, size)
    }

    private static func string(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return marker(0x50, count: text.utf8.count) + Array(text.utf8) }
        return marker(0x60, count: text.utf16.count) + text.utf16.flatMap { bigEndian(UInt64($0), 2) }
    }

    private static func marker(_ kind: UInt8, count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(Int64(count))
    }

    /// How many bytes a number takes: 1, 2, 4 or 8.
    private static func integerSize(_ number: UInt64) -> Int {
        [1, 2, 4].first { number < 1 << UInt64($0 * 8) } ?? 8
    }

    private static func bigEndian(_ number: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    // MARK: The file

    private func file(top: Int) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        let referenceSize = Self.integerSize(UInt64(nodes.count))
        for node in nodes {
            offsets.append(bytes.count)
            bytes += Self.encoded(node, referenceSize: referenceSize)
        }
        let table = bytes.count
        let offsetSize = Self.integerSize(UInt64(table))
        for offset in offsets { bytes += Self.bigEndian(UInt64(offset), offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [nodes.count, top, table] { bytes += Self.bigEndian(UInt64(number), 8) }
        return Data(bytes)
    }

    private static func encoded(_ node: Node, referenceSize: Int) -> [UInt8] {
        switch node {
        case .scalar(let bytes): bytes
        case .array(let references):
            marker(0xA0, count: references.count) + encoded(references, referenceSize)
        case .dictionary(let references):
            marker(0xD0, count: references.count / 2) + encoded(references, referenceSize)
        }
    }

    private static func encoded(_ references: [Int], _ size: Int) -> [UInt8] {
        references.flatMap { bigEndian(UInt64($0), size) }
    }
}

extension PropertyList {
    /// The list as a binary property list; equal lists give equal bytes.
    package var binaryData: Data { PropertyListWriter.write(self) }
}
