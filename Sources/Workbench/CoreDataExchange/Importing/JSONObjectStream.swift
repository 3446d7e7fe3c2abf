import CoreData

/// Reads the objects of a JSON file one by one: an array of them, or one after another as in JSON Lines.
///
/// Only the object at hand is in memory, up to a bound.
final class JSONObjectStream: ImportSource {
    /// The greatest length of one object.
    private static let greatestLength = 256 << 20

    private let file: FileBlocks
    private var buffer: [UInt8] = []
    private var place = 0
    private var line = 1
    private var isAtEnd = false
    private var state = State.start

    private enum State {
        case start
        /// Between objects that stand one after another.
        case sequence
        /// In an array, where an object or its end comes.
        case first
        /// In an array after an object.
        case afterElement
        case end
    }

    init(_ file: FileBlocks) { self.file = file }

    func next() throws -> ImportRecord? {
        while let byte = try nextByte() {
            switch (state, byte) {
            case (.start, UInt8(ascii: "[")):
                place += 1
                state = .first
            case (.start, UInt8(ascii: "{")), (.sequence, UInt8(ascii: "{")):
                state = .sequence
                return try object()
            case (.first, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
                place += 1
                state = .end
            case (.first, UInt8(ascii: "{")):
                state = .afterElement
                return try object()
            case (.afterElement, UInt8(ascii: ",")):
                place += 1
                guard try nextByte() == UInt8(ascii: "{") else { throw wrong("an object is expected after ','") }
                return try object()
            case (.afterElement, _): throw wrong("',' or ']' is expected")
            case (.end, _): throw wrong("something follows the end of the array")
            default: throw wrong("an object of JSON is expected")
            }
        }
        if state == .first || state == .afterElement { throw wrong("the end comes before the array's ']'") }
        return nil
    }

    private func wrong(_ reason: String) -> InspectionError {
        InspectionError(
            .badValue, subject: "\(file.name):\(line)", cause: "this is not JSON: \(reason)",
            hint: "it looks like {\"key\": value}")
    }

    /// The next byte that is not a blank, which stays; nil at the end.
    private func nextByte() throws -> UInt8? {
        while true {
            while place < buffer.count {
                switch buffer[place] {
                case 0x0A: line += 1
                case 0x20, 0x09, 0x0D: break
                case 0xEF where state == .start && line == 1 && buffer[place...].starts(with: [0xEF, 0xBB, 0xBF]):
                    // A byte-order mark is what some editors begin a file with.
                    place += 2
                case let byte: return byte
                }
                place += 1
            }
            guard try fill() else { return nil }
        }
    }

    /// Reads on, after what has been used was released; false at the end.
    private func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        if place > 0 {
            buffer.removeFirst(place)
            place = 0
        }
        isAtEnd = try !file.append(to: &buffer)
        return !isAtEnd
    }

    /// The object that begins here.
    private func object() throws -> ImportRecord {
        if state == .sequence, let record = wholeLine() { return record }
        let length = try measure()
        let values = try values(length)
        guard values.count == 1 else { throw wrong("an object of JSON is expected") }
        let lines = buffer[place..<place + length].count { $0 == 0x0A }
        return try record(values[0], length: length, lines: lines)
    }

    /// The object on the line that begins here; nil if the buffer lacks the line's end, or the line is not one object.
    private func wholeLine() -> ImportRecord? {
        let length = buffer.withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress.map({ $0 + place }), let end = memchr(start, 0x0A, bytes.count - place)
            else { return nil }
            return UnsafeRawPointer(end) - start
        }
        guard let length, let values = try? values(length), values.count == 1 else { return nil }
        return try? record(values[0], length: length, lines: 0)
    }

    /// The values that the next bytes are.
    private func values(_ length: Int) throws -> [JSONValue] {
        try buffer.withUnsafeBufferPointer { all in
            try JSONReader.values(
                in: UnsafeBufferPointer(rebasing: all[place..<place + length]), of: file.name, line: line)
        }
    }

    /// The object that a value of so many bytes and line ends is, behind which reading goes on.
    private func record(_ value: JSONValue, length: Int, lines: Int) throws -> ImportRecord {
        var record = try ImportRecord(value, line: line, of: file.name)
        record.size = length
        line += lines
        place += length
        return record
    }

    /// The length of the object that begins here, of which only brackets and texts are looked at.
    private func measure() throws -> Int {
        var (offset, depth, isInText, isEscaped) = (0, 0, false, false)
        while true {
            let end = buffer.withUnsafeBytes { bytes -> Int? in
                let start = place
                while start + offset < bytes.count {
                    let byte = bytes[start + offset]
                    offset += 1
                    if isInText {
                        if isEscaped {
                            isEscaped = false
                        } else if byte == UInt8(ascii: "\\") {
                            isEscaped = true
                        } else if byte == UInt8(ascii: "\"") {
                            isInText = false
                        }
                        continue
                    }
                    switch byte {
                    case UInt8(ascii: "\""): isInText = true
                    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                    case UInt8(ascii: "}"), UInt8(ascii: "]"):
                        depth -= 1
                        if depth == 0 { return offset }
                    default: continue
                    }
                }
                return nil
            }
            if let end { return end }
            guard offset < Self.greatestLength else {
                throw wrong("an object is longer than \(Self.greatestLength >> 20) megabytes")
            }
            // Without its end the reader of the object says what is missing.
            guard try fill() else { return buffer.count - place }
        }
    }
}
