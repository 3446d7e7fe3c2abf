import Foundation

/// Reads binary property lists, as builds make them of `.strings` and `.stringsdict` files.
///
/// Every offset is checked, containers are at most `TableLimits.depth` deep, and each object counts as often as it is referred to, so
/// that neither circles nor shared objects take long. Source of the format: CFBinaryPList.c of Apple's CoreFoundation.
struct BinaryListReader {
    /// The greatest number of values.
    private static let most = 500_000

    private let bytes: [UInt8]
    private let offsets: Range<Int>
    private let offsetSize: Int
    private let referenceSize: Int
    private var count = 0

    static func list(_ data: Data) throws -> ListValue {
        guard data.count <= TableLimits.bytes else {
            throw StringTableError(.tooLarge, "The property list has more than \(TableLimits.bytes) bytes.")
        }
        let bytes = [UInt8](data)
        let trailer = bytes.count - 32
        guard trailer >= 8 else { throw damaged }
        let sizes = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(sizes.0), (1...8).contains(sizes.1),
            let objects = number(bytes, trailer + 8, 8), let top = number(bytes, trailer + 16, 8),
            let table = number(bytes, trailer + 24, 8)
        else { throw damaged }
        let (length, isOver) = objects.multipliedReportingOverflow(by: sizes.0)
        guard !isOver, table >= 8, table <= trailer, length <= trailer - table, top < objects else { throw damaged }
        var reader = BinaryListReader(
            bytes: bytes, offsets: table..<(table + length), offsetSize: sizes.0, referenceSize: sizes.1)
        return try reader.object(top, depth: 0)
    }

    private static var damaged: StringTableError { StringTableError(.syntax, "The binary property list is damaged.") }

    /// A number of up to eight bytes, the highest first; nil beyond the end, and for one that `Int` cannot have.
    private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int? {
        guard place >= 0, size > 0, size <= 8, place <= bytes.count - size else { return nil }
        return Int(exactly: bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private mutating func object(_ index: Int, depth: Int) throws -> ListValue {
        count += 1
        guard depth <= TableLimits.depth, count <= Self.most else {
            throw StringTableError(.tooLarge, "The binary property list is nested too deep, or has too many values.")
        }
        let (entry, isOver) = index.multipliedReportingOverflow(by: offsetSize)
        guard !isOver, index >= 0, entry <= offsets.count - offsetSize,
            let place = Self.number(bytes, offsets.lowerBound + entry, offsetSize), place >= 8,
            place < offsets.lowerBound
        else { throw Self.damaged }
        let marker = bytes[place]
        switch marker >> 4 {
        case 0 where marker == 8 || marker == 9: return .flag(marker == 9)
        case 1: return .number(try integer(place))
        case 2, 3, 4, 8: return .opaque
        case 5, 6:
            let (length, start) = try length(place)
            return .text(try text(start, length, isWide: marker >> 4 == 6))
        case 10:
            let (length, start) = try length(place)
            return .array(try references(start, length).map { try object($0, depth: depth + 1) })
        case 13:
            let (length, start) = try length(place)
            let keys = try references(start, length)
            let values = try references(start + length * referenceSize, length)
            return .dictionary(
                try zip(keys, values).map { key, value in
                    guard case .text(let name) = try object(key, depth: depth + 1) else { throw Self.damaged }
                    return (name, try object(value, depth: depth + 1))
                })
        default: throw Self.damaged
        }
    }

    private func integer(_ place: Int) throws -> Int64 {
        let size = 1 << Int(bytes[place] & 15)
        guard size <= 8, place + 1 <= bytes.count - size else { throw Self.damaged }
        let bits = bytes[(place + 1)..<(place + 1 + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(bitPattern: bits)
    }

    /// The length of an object, and where its content begins.
    private func length(_ place: Int) throws -> (length: Int, start: Int) {
        let short = Int(bytes[place] & 15)
        guard short == 15 else { return (short, place + 1) }
        guard place + 1 < bytes.count, bytes[place + 1] >> 4 == 1 else { throw Self.damaged }
        let size = 1 << Int(bytes[place + 1] & 15)
        guard size <= 8, let length = Self.number(bytes, place + 2, size), length <= bytes.count else {
            throw Self.damaged
        }
        return (length, place + 2 + size)
    }

    private func references(_ start: Int, _ length: Int) throws -> [Int] {
        guard start <= bytes.count, length <= (bytes.count - start) / referenceSize else { throw Self.damaged }
        return try (0..<length).map { item in
            guard let index = Self.number(bytes, start + item * referenceSize, referenceSize) else {
                throw Self.damaged
            }
            return index
        }
    }

    private func text(_ start: Int, _ length: Int, isWide: Bool) throws -> String {
        let size = isWide ? 2 : 1
        guard start <= bytes.count, length <= (bytes.count - start) / size else { throw Self.damaged }
        let part = bytes[start..<(start + length * size)]
        let text =
            isWide
            ? String(
                validating: stride(from: start, to: start + length * 2, by: 2).map {
                    UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
                }, as: UTF16.self)
            : String(validating: part, as: UTF8.self)
        guard let text else { throw Self.damaged }
        return text
    }
}
