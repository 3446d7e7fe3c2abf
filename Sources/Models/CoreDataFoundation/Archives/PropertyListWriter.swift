/// Writes binary property lists (`bplist00`); the same list always gives the same bytes.
///
/// Keys are sorted by their bytes; equal texts, integers and references are written once, and sets as arrays.
/// `PropertyListSerialization` cannot write references of keyed archives. Nesting is limited by the call stack.
struct PropertyListWriter {
    private enum Node {
        case scalar(PropertyList)
        case array([Int])
        /// The indexes of all keys, followed by those of all values.
        case dictionary([Int])
    }

    private var nodes: [Node] = []
    private var texts: [ExactText: Int] = [:]
    private var integers: [Int64: Int] = [:]
    private var references: [Int: Int] = [:]
    private var bytes = Array("bplist00".utf8)

    static func write(_ list: PropertyList) -> Data {
        var writer = PropertyListWriter()
        let top = writer.add(list)
        return writer.file(top: top)
    }

    // MARK: Objects

    private mutating func add(_ value: PropertyList) -> Int {
        switch value {
        case .string(let text): return addOnce(value, as: ExactText(text), \.texts)
        case .integer(let number): return addOnce(value, as: number, \.integers)
        case .uid(let number): return addOnce(value, as: number, \.references)
        case .array(let values), .set(let values):
            let place = append(.array([]))
            nodes[place] = .array(values.map { add($0) })
            return place
        case .dictionary(let pairs):
            let place = append(.dictionary([]))
            let sorted = pairs.sorted { $0.key.precedesInBytes($1.key) }
            let keys = sorted.map { addOnce(.string($0.key), as: ExactText($0.key), \.texts) }
            nodes[place] = .dictionary(keys + sorted.map { add($0.value) })
            return place
        case .null, .boolean, .unsigned, .real, .date, .data: return append(.scalar(value))
        }
    }

    private mutating func addOnce<Key: Hashable>(
        _ value: PropertyList, as key: Key, _ known: WritableKeyPath<PropertyListWriter, [Key: Int]>
    ) -> Int {
        if let place = self[keyPath: known][key] { return place }
        let place = append(.scalar(value))
        self[keyPath: known][key] = place
        return place
    }

    private mutating func append(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    // MARK: Bytes

    private mutating func write(_ value: PropertyList) {
        switch value {
        case .boolean(let flag): bytes.append(flag ? 0x09 : 0x08)
        case .integer(let number): writeInteger(number)
        case .unsigned(let number):
            bytes.append(0x14)
            writeBigEndian(0, 8)
            writeBigEndian(number, 8)
        case .real(let number):
            bytes.append(0x23)
            writeBigEndian(number.bitPattern, 8)
        case .date(let date):
            bytes.append(0x33)
            writeBigEndian(date.timeIntervalSinceReferenceDate.bitPattern, 8)
        case .data(let data):
            writeMarker(0x40, count: data.count)
            bytes += data
        case .string(let text): writeText(text)
        case .uid(let number):
            let size = Self.size(of: UInt64(number))
            bytes.append(0x80 | UInt8(size - 1))
            writeBigEndian(UInt64(number), size)
        case .null, .array, .set, .dictionary: bytes.append(0x00)
        }
    }

    private mutating func writeInteger(_ number: Int64) {
        let size = number < 0 ? 8 : Self.size(of: UInt64(number))
        bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
        writeBigEndian(UInt64(bitPattern: number), size)
    }

    private mutating func writeText(_ text: String) {
        let units = text.utf8
        if units.allSatisfy({ $0 < 0x80 }) {
            writeMarker(0x50, count: units.count)
            bytes += units
        } else {
            writeMarker(0x60, count: text.utf16.count)
            for unit in text.utf16 { writeBigEndian(UInt64(unit), 2) }
        }
    }

    private mutating func writeMarker(_ kind: UInt8, count: Int) {
        guard count >= 15 else { return bytes.append(kind | UInt8(count)) }
        bytes.append(kind | 0x0F)
        writeInteger(Int64(count))
    }

    private mutating func writeBigEndian(_ number: UInt64, _ size: Int) {
        var shift = size * 8
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// How many bytes a number takes: 1, 2, 4 or 8.
    private static func size(of number: UInt64) -> Int {
        number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
    }

    // MARK: The file

    private mutating func file(top: Int) -> Data {
        var offsets: [Int] = []
        let referenceSize = Self.size(of: UInt64(nodes.count))
        for node in nodes {
            offsets.append(bytes.count)
            write(node, referenceSize)
        }
        let table = bytes.count
        let offsetSize = Self.size(of: UInt64(table))
        for offset in offsets { writeBigEndian(UInt64(offset), offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [nodes.count, top, table] { writeBigEndian(UInt64(number), 8) }
        return Data(bytes)
    }

    private mutating func write(_ node: Node, _ referenceSize: Int) {
        switch node {
        case .scalar(let value): write(value)
        case .array(let references):
            writeMarker(0xA0, count: references.count)
            for reference in references { writeBigEndian(UInt64(reference), referenceSize) }
        case .dictionary(let references):
            writeMarker(0xD0, count: references.count / 2)
            for reference in references { writeBigEndian(UInt64(reference), referenceSize) }
        }
    }
}

extension PropertyList {
    /// The list as a binary property list; equal lists give equal bytes.
    package var binaryData: Data { PropertyListWriter.write(self) }
}
