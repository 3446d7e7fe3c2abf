import CoreData

/// Reads the objects of a CSV file (RFC 4180) one by one: a header line, then one line for each object.
///
/// Fields may also be delimited by semicolons, tabs or vertical bars, as spreadsheets do where the comma is in numbers: by the one
/// that the header line has most of, unless one is given, or the first line is `sep=` and the delimiter, as Excel reads it.
///
/// An empty field without quotes is nil; an empty field in quotes is an empty text. Lines end with LF or CRLF; a line
/// break in quotes belongs to its field. Only the line at hand is in memory, up to a bound.
final class CSVObjectStream: ImportSource {
    /// The greatest length of one line.
    private static let greatestLength = 256 << 20

    private let file: FileBlocks
    private let entity: String?
    /// Known when the header line is read.
    private var delimiter: UInt8
    private let isDelimiterGiven: Bool
    private var titles: [String] = []
    private var buffer: [UInt8] = []
    private var place = 0
    /// The index in the buffer at which the current line begins.
    private var start = 0
    private var line = 1
    private var isAtEnd = false

    /// - Parameters:
    ///   - entity: the entity of objects whose lines do not name an entity.
    ///   - delimiter: what stands between fields; nil to find it in the header line.
    init(_ file: FileBlocks, entity: String?, delimiter: UInt8? = nil) {
        self.file = file
        self.entity = entity
        self.delimiter = delimiter ?? UInt8(ascii: ",")
        isDelimiterGiven = delimiter != nil
    }

    func next() throws -> ImportRecord? { try nextFields().map { record($0.fields, $0.line) } }

    /// The next line with the titles of its fields, which are nil where they are empty and not in quotes; nil after the last.
    func nextLine() throws -> (titles: [String], fields: [String?], line: Int, size: Int)? {
        guard let (fields, line) = try nextFields() else { return nil }
        let texts = fields.map { field -> String? in
            if case .field(let text) = field { text } else { nil }
        }
        return (titles, texts, line, place - start)
    }

    private func nextFields() throws -> (fields: [EditValue], line: Int)? {
        if titles.isEmpty {
            guard try readTitles() else { return nil }
        }
        while true {
            let first = line
            guard let fields = try fields() else { return nil }
            // A blank line is ignored, except in a table with one column, where it is an object with a nil value.
            if fields.count == 1, titles.count > 1, case .null = fields[0] { continue }
            guard fields.count == titles.count else {
                throw wrong("the line has \(fields.count) fields, and there are \(titles.count) titles", at: first)
            }
            return (fields, first)
        }
    }

    private func readTitles() throws -> Bool {
        if !isDelimiterGiven { try findDelimiter() }
        guard let fields = try fields() else { return false }
        titles = fields.map { field in
            if case .field(let text) = field { text } else { "" }
        }
        guard !titles.contains("") else { throw wrong("a title is empty", at: 1) }
        guard Set(titles).count == titles.count else { throw wrong("two columns have the same title", at: 1) }
        return true
    }

    /// Finds out by the header line what delimits fields, and passes over a line that says it.
    private func findDelimiter() throws {
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]
        let first = try lineAhead()
        if first.count == 5, first.starts(with: Array("sep=".utf8)) {
            delimiter = first[4]
            _ = try fields()
            return
        }
        var counts = [UInt8: Int]()
        var isQuoted = false
        for byte in first {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        // Of as many the first counts.
        for candidate in candidates where counts[candidate] ?? 0 > counts[delimiter] ?? 0 { delimiter = candidate }
    }

    /// The bytes of the next line, without what ends it; they stay to be read.
    private func lineAhead() throws -> [UInt8] {
        let before = place
        var isQuoted = false
        while let byte = try peek(), isQuoted || byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r") {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            place += 1
        }
        defer { place = before }
        let bytes = buffer[before..<place]
        return Array(bytes.starts(with: Self.mark) ? bytes.dropFirst(Self.mark.count) : bytes)
    }

    /// The byte order mark of UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private func record(_ fields: [EditValue], _ first: Int) -> ImportRecord {
        var (label, entity): (String?, String?) = (nil, nil)
        var members: [ImportRecord.Member] = []
        for (title, field) in zip(titles, fields) {
            switch (title, field) {
            case ("objectID", .field(let text)): label = text
            case ("entity", .field(let text)): entity = text
            case ("objectID", _), ("entity", _): continue
            default: members.append(.init(key: title, value: field))
            }
        }
        // A column of a table of several entities says nothing of those that do not have it.
        var record = ImportRecord(line: first, label: label, entity: entity, members: members, isExported: true)
        record.fileEntity = self.entity
        record.isTable = true
        record.size = place - start
        return record
    }

    private func wrong(_ reason: String, at line: Int) -> InspectionError {
        InspectionError(
            .badValue, subject: "\(file.name):\(line)", cause: "this is not a table: \(reason)",
            hint: "as RFC 4180 describes it, in UTF-8"
        )
    }

    /// The fields of the next line; nil at the end.
    private func fields() throws -> [EditValue]? {
        start = place
        guard try peek() != nil else { return nil }
        if line == 1, place == 0, buffer.starts(with: Self.mark) { place = Self.mark.count }
        var fields: [EditValue] = []
        while true {
            fields.append(try field())
            switch try peek() {
            case delimiter: place += 1
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"), nil:
                if try peek() == UInt8(ascii: "\r") { place += 1 }
                if try peek() == UInt8(ascii: "\n") { place += 1 }
                line += 1
                return fields
            default: throw wrong("something stands between a quote and the next delimiter", at: line)
            }
        }
    }

    private func field() throws -> EditValue {
        guard try peek() == UInt8(ascii: "\"") else {
            let offset = place - start
            while let byte = try peek(), byte != delimiter, byte != UInt8(ascii: "\n"),
                byte != UInt8(ascii: "\r")
            {
                guard byte != UInt8(ascii: "\"") else { throw wrong("a quote stands within a field", at: line) }
                place += 1
            }
            let bytes = buffer[(start + offset)..<place]
            return bytes.isEmpty ? .null : .field(try text(bytes))
        }
        return .field(try quoted())
    }

    private func quoted() throws -> String {
        let first = line
        place += 1
        var bytes: [UInt8] = []
        while let byte = try peek() {
            place += 1
            if byte == UInt8(ascii: "\"") {
                guard try peek() == UInt8(ascii: "\"") else { return try text(bytes[...]) }
                place += 1
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            bytes.append(byte)
        }
        throw wrong("the quote is not closed that begins a field", at: first)
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        throw InspectionError(
            .badValue, subject: "\(file.name):\(line)", cause: "this is not a table: a field is not UTF-8",
            hint: "a mapping names another encoding: encoding = \"windows-1252\"")
    }

    /// The next byte, without consuming it; nil at the end.
    @inline(__always) private func peek() throws -> UInt8? {
        if place < buffer.count { return buffer[place] }
        guard try fill() else { return nil }
        return buffer[place]
    }

    private func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        if start > 0 {
            buffer.removeFirst(start)
            place -= start
            start = 0
        }
        guard buffer.count < Self.greatestLength else {
            throw wrong("a line is longer than \(Self.greatestLength >> 20) megabytes", at: line)
        }
        // A block may have the beginning of a character alone.
        while !isAtEnd, place >= buffer.count { isAtEnd = try !file.append(to: &buffer) }
        return place < buffer.count
    }
}
