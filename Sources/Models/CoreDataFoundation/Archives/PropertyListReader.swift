/// Reads binary property lists (`bplist00`) from bytes of untrusted origin.
///
/// Invariants:
/// 1. No byte is read and no memory reserved before the offset, the count and the size have been checked.
/// 2. Containers are built with an explicit stack, so that nesting in the input cannot overflow the call stack.
/// 3. An object is built once; a reference to a container that is still being built is a cycle and is refused.
/// 4. All values together use at most as many bytes as the input has, so overlapping objects cannot multiply it.
///
/// Source of the format: the layout that Apple publishes with CFBinaryPList.c in its open-source CoreFoundation.
struct PropertyListReader {
    private let bytes: [UInt8]
    private let limits: PropertyListLimits
    private var offsets: [Int] = []
    private var referenceSize = 1
    private var topObject = 0
    private var payload = 0

    static func read(_ data: Data, limits: PropertyListLimits = PropertyListLimits()) throws -> PropertyList {
        guard data.count <= limits.bytes else {
            throw ArchiveError(.limitExceeded, "the property list has \(data.count) bytes, more than \(limits.bytes)")
        }
        var reader = PropertyListReader(bytes: [UInt8](data), limits: limits)
        try reader.readTrailer()
        return try reader.build()
    }

    private init(bytes: [UInt8], limits: PropertyListLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    // MARK: The frame

    private mutating func readTrailer() throws {
        guard bytes.starts(with: Array("bplist0".utf8)) else { throw Self.notBinary(bytes) }
        guard bytes.count >= 8 + 1 + 32 else { throw malformed("it ends within its trailer") }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw malformed("the trailer states integers of \(offsetSize) and \(referenceSize) bytes")
        }
        let count = try integer(at: trailer + 8, size: 8)
        topObject = try integer(at: trailer + 16, size: 8)
        let table = try integer(at: trailer + 24, size: 8)
        guard count <= limits.objects else {
            throw ArchiveError(.limitExceeded, "a property list of \(count) objects")
        }
        guard count > 0, topObject < count, table >= 9, table <= trailer, count <= (trailer - table) / offsetSize else {
            throw malformed("the trailer's counts do not fit the file")
        }
        offsets = try (0..<count).map { index in
            let offset = try integer(at: table + index * offsetSize, size: offsetSize)
            guard offset >= 8, offset < table else { throw malformed("object \(index) lies outside the objects") }
            return offset
        }
    }

    private static func notBinary(_ bytes: [UInt8]) -> ArchiveError {
        let start = String(decoding: bytes.prefix(64), as: UTF8.self)
        let form =
            start.contains("<?xml") || start.contains("<plist")
            ? "it is a property list in XML" : "it is not a property list"
        return ArchiveError(.unsupportedForm, "\(form); only the binary form is read here")
    }

    private func malformed(_ cause: String) -> ArchiveError {
        ArchiveError(.malformed, "the property list is damaged: \(cause)")
    }

    /// A big-endian unsigned integer that fits `Int`.
    private func integer(at offset: Int, size: Int) throws -> Int {
        guard let value = Int(exactly: try unsigned(at: offset, size: size)) else {
            throw malformed("a number is beyond all sizes")
        }
        return value
    }

    private func unsigned(at offset: Int, size: Int) throws -> UInt64 {
        guard offset >= 0, size <= bytes.count, offset <= bytes.count - size else { throw malformed("it ends early") }
        return bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The length in an object's marker, and the offset of the content after the marker.
    private func extent(at offset: Int) throws -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0F)
        guard low == 0x0F else { return (low, offset + 1) }
        guard offset + 1 < bytes.count, bytes[offset + 1] & 0xF0 == 0x10, bytes[offset + 1] & 0x0F <= 3 else {
            throw malformed("a length is not an integer")
        }
        let size = 1 << Int(bytes[offset + 1] & 0x0F)
        return (try integer(at: offset + 2, size: size), offset + 2 + size)
    }

    private mutating func claim(_ count: Int, of size: Int, from start: Int) throws -> Range<Int> {
        guard count >= 0, count <= (bytes.count - start) / size else { throw malformed("a length goes past the end") }
        payload += count * size
        guard payload <= bytes.count else { throw malformed("its objects overlap") }
        return start..<start + count * size
    }

    // MARK: Objects

    private enum Shape {
        case scalar(PropertyList)
        case array([Int])
        case set([Int])
        case dictionary([Int])

        var children: [Int] {
            switch self {
            case .scalar: []
            case .array(let references), .set(let references), .dictionary(let references): references
            }
        }
    }

    private struct Frame {
        let object: Int
        let shape: Shape
        var next = 0
    }

    private struct Built {
        let value: PropertyList
        let depth: Int
        let size: Int
    }

    private mutating func build() throws -> PropertyList {
        var built = [Built?](repeating: nil, count: offsets.count)
        var isOpen = [Bool](repeating: false, count: offsets.count)
        var stack = [Frame(object: topObject, shape: try shape(of: topObject))]
        isOpen[topObject] = true
        while var frame = stack.popLast() {
            let children = frame.shape.children
            while frame.next < children.count, built[children[frame.next]] != nil { frame.next += 1 }
            guard frame.next < children.count else {
                built[frame.object] = try close(frame, built)
                isOpen[frame.object] = false
                continue
            }
            let child = children[frame.next]
            guard !isOpen[child] else { throw ArchiveError(.cycle, "the property list contains itself") }
            guard stack.count < limits.depth else { throw tooDeep }
            stack.append(frame)
            stack.append(Frame(object: child, shape: try shape(of: child)))
            isOpen[child] = true
        }
        return built[topObject]?.value ?? .null
    }

    private var tooDeep: ArchiveError {
        ArchiveError(.limitExceeded, "the property list nests deeper than \(limits.depth)")
    }

    private func close(_ frame: Frame, _ built: [Built?]) throws -> Built {
        var depth = 0
        var size = 1
        var values: [PropertyList] = []
        for child in frame.shape.children {
            guard let part = built[child] else { throw malformed("an object is missing") }
            depth = max(depth, part.depth + 1)
            size += part.size
            guard size <= limits.expandedValues else {
                throw ArchiveError(.limitExceeded, "the property list expands to too many values")
            }
            values.append(part.value)
        }
        guard depth <= limits.depth else { throw tooDeep }
        return Built(value: try value(of: frame.shape, values), depth: depth, size: size)
    }

    private func value(of shape: Shape, _ values: [PropertyList]) throws -> PropertyList {
        switch shape {
        case .scalar(let value): return value
        case .array: return .array(values)
        case .set: return .set(values)
        case .dictionary:
            let half = values.count / 2
            var pairs = [String: PropertyList](minimumCapacity: half)
            for (key, value) in zip(values[..<half], values[half...]) {
                guard let key = key.string else { throw malformed("a dictionary's key is no text") }
                pairs[key] = value
            }
            return .dictionary(pairs)
        }
    }

    private mutating func shape(of object: Int) throws -> Shape {
        let offset = offsets[object]
        switch bytes[offset] >> 4 {
        case 0xA: return .array(try references(at: offset, each: 1))
        case 0xB, 0xC: return .set(try references(at: offset, each: 1))
        case 0xD: return .dictionary(try references(at: offset, each: 2))
        default: return .scalar(try scalar(at: offset))
        }
    }

    private mutating func references(at offset: Int, each: Int) throws -> [Int] {
        let (count, start) = try extent(at: offset)
        let range = try claim(count, of: referenceSize * each, from: start)
        return try stride(from: range.lowerBound, to: range.upperBound, by: referenceSize).map { place in
            let reference = try integer(at: place, size: referenceSize)
            guard reference < offsets.count else { throw malformed("a reference names object \(reference)") }
            return reference
        }
    }

    private mutating func scalar(at offset: Int) throws -> PropertyList {
        let low = Int(bytes[offset] & 0x0F)
        switch bytes[offset] {
        case 0x00: return .null
        case 0x08: return .boolean(false)
        case 0x09: return .boolean(true)
        case 0x10...0x14: return try number(at: offset + 1, size: 1 << low)
        case 0x22: return .real(Double(Float(bitPattern: UInt32(try unsigned(at: offset + 1, size: 4)))))
        case 0x23: return .real(Double(bitPattern: try unsigned(at: offset + 1, size: 8)))
        case 0x33:
            let seconds = Double(bitPattern: try unsigned(at: offset + 1, size: 8))
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case 0x40...0x4F: return .data(Data(bytes[try span(at: offset, unit: 1)]))
        case 0x50...0x5F: return .string(try ascii(bytes[try span(at: offset, unit: 1)]))
        case 0x60...0x6F: return .string(utf16(try span(at: offset, unit: 2)))
        case 0x80...0x8F: return .uid(try integer(at: offset + 1, size: low + 1))
        default: throw malformed("an object of the unknown kind 0x\(String(bytes[offset], radix: 16))")
        }
    }

    private mutating func span(at offset: Int, unit: Int) throws -> Range<Int> {
        let (count, start) = try extent(at: offset)
        return try claim(count, of: unit, from: start)
    }

    private func number(at offset: Int, size: Int) throws -> PropertyList {
        if size < 8 { return .integer(Int64(try unsigned(at: offset, size: size))) }
        if size == 8 { return .integer(Int64(bitPattern: try unsigned(at: offset, size: 8))) }
        let high = try unsigned(at: offset, size: 8)
        let low = try unsigned(at: offset + 8, size: 8)
        if high == 0 { return Int64(exactly: low).map { .integer($0) } ?? .unsigned(low) }
        guard high == .max, low >> 63 == 1 else { throw malformed("an integer of more than 64 bits") }
        return .integer(Int64(bitPattern: low))
    }

    private func ascii(_ text: ArraySlice<UInt8>) throws -> String {
        guard text.allSatisfy({ $0 < 0x80 }) else { throw malformed("a text marked as ASCII is none") }
        return String(decoding: text, as: UTF8.self)
    }

    private func utf16(_ range: Range<Int>) -> String {
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }
}

extension PropertyList {
    /// Reads a binary property list within the limits.
    ///
    /// - Throws: `ArchiveError`: `.unsupportedForm` for XML and other forms, `.malformed`, `.limitExceeded`, `.cycle`.
    package init(binary data: Data, limits: PropertyListLimits = PropertyListLimits()) throws {
        self = try PropertyListReader.read(data, limits: limits)
    }
}
