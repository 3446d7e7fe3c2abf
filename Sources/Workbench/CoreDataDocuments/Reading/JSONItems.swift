import CoreData

/// Reads the values at some places of a JSON document one by one; documents may follow one another, as in JSON Lines.
///
/// Arrays on the way are passed through, also one at a place itself: then its elements are the values. Only the value at hand
/// is in memory, up to a bound; of an object around others that are handed out too, what else it has.
final class JSONItems: DocumentItems {
    /// The greatest length of one value.
    private static let greatestLength = 256 << 20
    /// How many containers may lie in one another on the way.
    private static let greatestDepth = 128

    private let file: FileBlocks
    private let paths: [DocumentPath]
    private var buffer: [UInt8] = []
    private var place = 0
    private var line = 1
    private var isAtEnd = false
    private var stack: [Container] = []
    private var state = State.start

    private enum State {
        case start
        /// Between documents.
        case between
        /// After an array that is a whole document, which no other follows.
        case end
    }

    /// An array or an object that has begun and whose values are looked at.
    private struct Container {
        let isArray: Bool
        /// The paths on which its values may lie, and how many of their names have led here.
        let paths: [Int]
        let depth: Int
        /// The path of the object itself, and where it began.
        var path: Int?
        /// Whether it becomes part of an object around it that is handed out, under this key.
        var isPart = false
        var key = ""
        /// How many elements of the array have come, and those that are part of what is around.
        var count = 0
        var elements: [JSONValue] = []
        var line = 0
        var members: [JSONValue.Member] = []
        var size = 0
        var isEmpty = true
    }

    /// - Parameter paths: the places; of several that fit a value the first counts.
    init(_ file: FileBlocks, paths: [DocumentPath]) { (self.file, self.paths) = (file, paths) }

    func next() throws -> DocumentItem? {
        while true {
            if let last = stack.last {
                if let item = last.isArray ? try nextElement() : try nextMember() { return item }
            } else {
                guard let byte = try nextByte() else { return nil }
                guard state != .end else { throw wrong("something follows the end of the array") }
                guard byte != UInt8(ascii: "<") else { throw wrong("it begins as HTML and XML do") }
                guard byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") else {
                    throw wrong("an object of JSON is expected")
                }
                let isLine = state == .between
                state = byte == UInt8(ascii: "[") ? .end : .between
                if let item = try value(Array(paths.indices), depth: 0, isLine: isLine) { return item }
            }
        }
    }

    // MARK: Containers

    /// Goes on in the innermost array.
    private func nextElement() throws -> DocumentItem? {
        guard let byte = try nextByte() else { throw wrong("the end comes before the array's ']'") }
        let end = stack.count - 1
        if byte == UInt8(ascii: "]") {
            place += 1
            return close()
        }
        if !stack[end].isEmpty {
            guard byte == UInt8(ascii: ",") else { throw wrong("',' or ']' is expected") }
            place += 1
            guard let next = try nextByte(), next != UInt8(ascii: "]") else {
                throw wrong("a value is expected after ','")
            }
        }
        let (depth, count, isPart) = (stack[end].depth, stack[end].count, stack[end].isPart)
        (stack[end].isEmpty, stack[end].count) = (false, count + 1)
        let numbered = stack[end].paths.filter { paths[$0].number(at: depth) == count }
        guard numbered.isEmpty else { return try value(numbered, depth: depth + 1, isPart: isPart) }
        let others = stack[end].paths.filter { paths[$0].number(at: depth) == nil }
        return try value(others, depth: depth, isInArray: true, isPart: isPart)
    }

    /// Ends the innermost container, and hands it out or adds it to what is around it.
    private func close() -> DocumentItem? {
        let last = stack.removeLast()
        if let path = last.path {
            return DocumentItem(path: path, value: .success(.members(last.members)), line: last.line, size: last.size)
        }
        if last.isPart {
            add(last.isArray ? .array(last.elements) : .members(last.members), key: last.key, size: last.size)
        }
        return nil
    }

    /// Adds a value to the innermost container, which is handed out or part of one that is.
    private func add(_ value: JSONValue, key: String, size: Int) {
        let end = stack.count - 1
        if stack[end].isArray {
            stack[end].elements.append(value)
        } else {
            stack[end].members.append(.init(key: key, value: value))
        }
        stack[end].size += size
    }

    /// Goes on in the innermost object, and hands it out at its end if it lies at a place.
    private func nextMember() throws -> DocumentItem? {
        guard let byte = try nextByte() else { throw wrong("the end comes before the object's '}'") }
        let end = stack.count - 1
        if byte == UInt8(ascii: "}") {
            place += 1
            return close()
        }
        if !stack[end].isEmpty {
            guard byte == UInt8(ascii: ",") else { throw wrong("',' or '}' is expected") }
            place += 1
        }
        guard try nextByte() == UInt8(ascii: "\"") else { throw wrong("a key in quotes is expected") }
        guard case .string(let key) = try readValue().get().value else { throw wrong("a key in quotes is expected") }
        guard try nextByte() == UInt8(ascii: ":") else { throw wrong("':' is expected") }
        place += 1
        guard try nextByte() != nil else { throw wrong("the end comes where a value is expected") }
        stack[end].isEmpty = false
        let depth = stack[end].depth
        let paths = stack[end].paths.filter { self.paths[$0].allows(key, at: depth) }
        let isPart = stack[end].path != nil || stack[end].isPart
        guard !isPart || !stack[end].members.contains(where: { $0.key == key }) else {
            throw wrong("an object has the same key twice")
        }
        return try value(paths, depth: depth + 1, isPart: isPart, key: key)
    }

    /// Takes the value that begins here: hands it out, goes into it, adds it to what is around it, or passes over it.
    private func value(
        _ candidates: [Int], depth: Int, isInArray: Bool = false, isLine: Bool = false, isPart: Bool = false,
        key: String = ""
    ) throws -> DocumentItem? {
        guard let byte = try nextByte() else { return nil }
        let path = candidates.first { paths[$0].steps.count == depth }
        let deeper = candidates.filter { paths[$0].steps.count > depth }
        if byte == UInt8(ascii: "["), path != nil || !deeper.isEmpty, !(isInArray && path != nil) {
            // An array whose elements are handed out is no part of what is around it.
            try push(
                Container(isArray: true, paths: candidates, depth: depth, isPart: isPart && path == nil, key: key))
            return nil
        }
        if byte == UInt8(ascii: "{"), !deeper.isEmpty {
            try push(
                Container(
                    isArray: false, paths: deeper, depth: depth, path: path, isPart: isPart && path == nil, key: key,
                    line: line))
            return nil
        }
        guard let path else {
            if isPart {
                let read = try readValue().get()
                add(read.value, key: key, size: read.size)
                guard stack[stack.count - 1].size <= Self.greatestLength else { throw tooLong() }
            } else {
                try skip()
            }
            return nil
        }
        let begun = line
        if isLine, let read = wholeLine() {
            return DocumentItem(path: path, value: .success(read.value), line: begun, size: read.size)
        }
        switch try readValue() {
        case .success(let read):
            return DocumentItem(path: path, value: .success(read.value), line: begun, size: read.size)
        case .failure(let error): return DocumentItem(path: path, value: .failure(error), line: begun, size: 0)
        }
    }

    private func push(_ container: Container) throws {
        guard stack.count < Self.greatestDepth else {
            throw wrong("it is nested deeper than \(Self.greatestDepth) levels")
        }
        place += 1
        stack.append(container)
    }

    // MARK: Values

    /// The value that begins here, behind which reading goes on; a failure where it has an end but cannot be read.
    ///
    /// - Throws: `InspectionError` where it has no end.
    private func readValue() throws -> Result<(value: JSONValue, size: Int), InspectionError> {
        let (length, isWhole) = try measure()
        let lines = buffer[place..<place + length].count { $0 == 0x0A }
        do {
            let values = try values(length)
            guard values.count == 1 else { throw wrong("one value is expected") }
            (line, place) = (line + lines, place + length)
            return .success((values[0], length))
        } catch let error as InspectionError where isWhole && length > 0 {
            (line, place) = (line + lines, place + length)
            return .failure(error)
        }
    }

    /// The object on the line that begins here; nil if the buffer lacks the line's end, or the line is not one value.
    private func wholeLine() -> (value: JSONValue, size: Int)? {
        let length = buffer.withUnsafeBytes { bytes -> Int? in
            guard let start = bytes.baseAddress.map({ $0 + place }), let end = memchr(start, 0x0A, bytes.count - place)
            else { return nil }
            return UnsafeRawPointer(end) - start
        }
        guard let length, let values = try? values(length), values.count == 1 else { return nil }
        place += length
        return (values[0], length)
    }

    /// The values that the next bytes are.
    private func values(_ length: Int) throws -> [JSONValue] {
        try buffer.withUnsafeBufferPointer { all in
            try JSONReader.values(
                in: UnsafeBufferPointer(rebasing: all[place..<place + length]), of: file.name, line: line)
        }
    }

    /// The length of the value that begins here, and whether its end is there; only brackets and texts are looked at.
    private func measure() throws -> (length: Int, isWhole: Bool) {
        var (offset, scan) = (0, ValueScan())
        while true {
            let end = buffer.withUnsafeBufferPointer { scan.end(in: $0, from: place, &offset) }
            if let end { return (end, true) }
            guard offset < Self.greatestLength else { throw tooLong() }
            // Without its end the reader of the value says what is missing.
            guard try fill() else { return (buffer.count - place, scan.isScalar) }
        }
    }

    /// Passes over the value that begins here, of any length.
    private func skip() throws {
        var scan = ValueScan()
        while true {
            var offset = 0
            let end = buffer.withUnsafeBufferPointer { scan.end(in: $0, from: place, &offset) }
            let passed = end ?? offset
            line += buffer[place..<place + passed].count { $0 == 0x0A }
            place += passed
            if end != nil { return }
            guard try fill() else {
                guard scan.isScalar else { throw wrong("the end comes within a value") }
                return
            }
        }
    }

    // MARK: Bytes

    private func wrong(_ reason: String) -> InspectionError {
        InspectionError(
            .badValue, subject: "\(file.name):\(line)", cause: "this is not JSON: \(reason)",
            hint: "it looks like {\"key\": value}")
    }

    private func tooLong() -> InspectionError {
        wrong("an object is longer than \(Self.greatestLength >> 20) megabytes")
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
        let before = buffer.count
        while !isAtEnd, buffer.count == before { isAtEnd = try !file.append(to: &buffer) }
        return buffer.count > before
    }
}

/// Finds the end of a value of JSON byte by byte, however the bytes are divided.
private struct ValueScan {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// Whether it is a number or a word, which ends where something else begins.
    private(set) var isScalar = false
    private var hasBegun = false

    /// The offset behind the value; nil if it goes on, with `offset` behind what has been looked at.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ offset: inout Int) -> Int? {
        while start + offset < bytes.count {
            let byte = bytes[start + offset]
            if isScalar {
                switch byte {
                case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
                    return offset
                default: offset += 1
                }
                continue
            }
            offset += 1
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                    if depth == 0 { return offset }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return offset }
            default: if !hasBegun { isScalar = true }
            }
            hasBegun = true
        }
        return nil
    }
}
