import CoreData

/// Decodes stored bytes to a tree: a keyed archive or a property list, each in binary form or XML, or JSON.
///
/// No class is instantiated: classes are shown by their names, and objects by their fields. Depth, number of values and
/// lengths are limited; if anything is left out, the tree is incomplete.
package struct DecodedValue: Sendable {
    package enum Kind: String, Sendable {
        case keyedArchive
        case propertyList
        case json
        /// A text that was compressed.
        case text
        /// Bytes of another format.
        case unknown
    }

    package let kind: Kind
    package let value: JSONValue
    package let isComplete: Bool
    /// The number of bytes after decompression by gzip; nil for bytes that were not compressed.
    package let unpacked: Int?

    private init(_ kind: Kind, _ value: JSONValue, isComplete: Bool, unpacked: Int) {
        (self.kind, self.value, self.isComplete, self.unpacked) = (kind, value, isComplete, unpacked)
    }

    /// Decodes bytes, which may be compressed by gzip.
    package init(_ data: Data) {
        guard Inflate.isGzip(data), let content = try? Inflate.gunzip(data, limit: ValueTree.longestMarkup) else {
            self.init(plain: data)
            return
        }
        let inner = DecodedValue(plain: content)
        guard inner.kind == .unknown, let text = String(validating: content, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.value < 32 && !["\t", "\n", "\r"].contains($0) })
        else {
            self.init(inner.kind, inner.value, isComplete: inner.isComplete, unpacked: content.count)
            return
        }
        let shown = String(text.unicodeScalars.prefix(ValueTree.longestPackedText))
        self.init(.text, .string(shown), isComplete: shown.utf8.count == content.count, unpacked: content.count)
    }

    private init(plain data: Data) {
        unpacked = nil
        var tree = ValueTree()
        if let archive = try? KeyedArchive(data) {
            kind = .keyedArchive
            value = tree.json(of: archive)
        } else if data.starts(with: Data("bplist".utf8)), let list = try? PropertyList(binary: data) {
            kind = .propertyList
            value = tree.json(list, in: nil, depth: 0)
        } else if let list = ValueTree.markup(data) {
            if let archive = try? KeyedArchive(list.withReferences) {
                kind = .keyedArchive
                value = tree.json(of: archive)
            } else {
                kind = .propertyList
                value = tree.json(list, in: nil, depth: 0)
            }
        } else if let first = data.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            first == 0x7B || first == 0x5B,
            data.count <= ValueTree.longestJSON, let json = try? JSONReader.values(in: Array(data), of: "the value"),
            json.count == 1
        {
            kind = .json
            value = json[0]
        } else {
            (kind, value) = (.unknown, .null)
        }
        isComplete = tree.isComplete
    }

    /// `{"kind", "value", "complete"}`, and `"unpacked"` for compressed bytes; objects of an archive are `{"$class",
    /// …}` with their fields.
    package var json: JSONValue {
        .object(
            [("kind", .string(kind.rawValue)), ("value", value), ("complete", .bool(isComplete))]
                + (unpacked.map { [("unpacked", .count($0))] } ?? []))
    }
}

/// Makes the tree, within the limits.
private struct ValueTree {
    static let longestJSON = 1 << 20
    static let longestMarkup = 16 << 20
    static let longestPackedText = 100_000
    private static let (mostValues, greatestDepth, longestText, shownBytes) = (5_000, 48, 4_000, 64)

    private(set) var isComplete = true
    private var values = 0
    /// The objects of the archive that contain the present value, to detect cycles.
    private var open: Set<Int> = []

    /// Parses bytes of XML as a property list; nil for other bytes, and for XML that is too large or deep, or declares
    /// entities.
    static func markup(_ data: Data) -> PropertyList? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = data.dropFirst(data.starts(with: mark) ? mark.count : 0).prefix(64)
        guard data.count <= longestMarkup, start.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == 0x3C
        else { return nil }
        return try? XMLPropertyList.list(data)
    }

    /// The root object of an archive, or all its top-level objects if there are others.
    mutating func json(of archive: KeyedArchive) -> JSONValue {
        guard archive.top.count != 1 || archive.top["root"] == nil else {
            return json(archive.root, in: archive, depth: 0)
        }
        return members(archive.top, archive: archive, depth: 0)
    }

    mutating func json(_ value: PropertyList, in archive: KeyedArchive?, depth: Int) -> JSONValue {
        values += 1
        guard values <= Self.mostValues, depth <= Self.greatestDepth else {
            isComplete = false
            return .string("…")
        }
        switch value {
        case .null: return .null
        case .boolean(let flag): return .bool(flag)
        case .integer(let number): return .integer(number)
        case .unsigned(let number): return .number("\(number)")
        case .real(let number): return .real(number)
        case .date(let date): return .string(ISODate.milliseconds(date.timeIntervalSinceReferenceDate))
        case .data(let data): return bytes(data)
        case .string(let text): return self.text(text)
        case .array(let list), .set(let list): return elements(list, archive: archive, depth: depth)
        case .dictionary(let fields): return members(fields, archive: archive, depth: depth)
        case .uid(let index):
            guard let archive else { return .object([("$ref", .count(index))]) }
            return object(index, value: value, archive: archive, depth: depth)
        }
    }

    /// The object to which a reference within an archive leads.
    private mutating func object(
        _ index: Int, value: PropertyList, archive: KeyedArchive, depth: Int
    ) -> JSONValue {
        guard let object = archive.object(value) else {
            let plain = archive.resolve(value)
            if case .string("$null") = plain { return .null }
            return json(plain, in: archive, depth: depth + 1)
        }
        guard open.insert(index).inserted else { return .object([("$ref", .count(index))]) }
        defer { open.remove(index) }
        if let plain = plain(object, value: value, archive: archive, depth: depth) { return plain }
        var fields = object.fields
        fields["$class"] = nil
        guard case .members(let members) = members(fields, archive: archive, depth: depth) else { return .null }
        return .members([.init(key: "$class", value: .string(PrintableText.escaped(object.className)))] + members)
    }

    /// The value of an object of one of Foundation's basic classes; nil for any other class.
    private mutating func plain(
        _ object: KeyedArchive.Object, value: PropertyList, archive: KeyedArchive, depth: Int
    ) -> JSONValue? {
        switch object.className {
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet":
            return archive.elements(value).map { elements($0, archive: archive, depth: depth) }
        case "NSDictionary", "NSMutableDictionary":
            return archive.pairs(value).map { pairs($0, archive: archive, depth: depth) }
        case "NSString", "NSMutableString": return object.fields["NS.string"]?.string.map { text($0) }
        case "NSNull": return .null
        case "NSDate":
            guard case .real(let seconds)? = object.fields["NS.time"] else { return nil }
            return .string(ISODate.milliseconds(seconds))
        case "NSData", "NSMutableData": return object.fields["NS.data"]?.data.map { bytes($0) }
        case "NSUUID":
            guard let data = object.fields["NS.uuidbytes"]?.data, data.count == 16 else { return nil }
            let uuid = data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
            return .string(UUID(uuid: uuid).uuidString)
        default: return nil
        }
    }

    private mutating func pairs(
        _ pairs: [(key: PropertyList, value: PropertyList)], archive: KeyedArchive, depth: Int
    ) -> JSONValue {
        let names = pairs.map { archive.string($0.key) }
        guard names.contains(where: { $0 == nil }) else {
            let fields = Dictionary(zip(names.compactMap(\.self), pairs.map(\.value)), uniquingKeysWith: { $1 })
            return members(fields, archive: archive, depth: depth)
        }
        var list: [JSONValue] = []
        for pair in pairs where goesOn() {
            list.append(
                .object([
                    ("key", json(pair.key, in: archive, depth: depth + 1)),
                    ("value", json(pair.value, in: archive, depth: depth + 1)),
                ]))
        }
        return .array(list)
    }

    private mutating func elements(_ list: [PropertyList], archive: KeyedArchive?, depth: Int) -> JSONValue {
        var found: [JSONValue] = []
        for element in list where goesOn() { found.append(json(element, in: archive, depth: depth + 1)) }
        return .array(found)
    }

    private mutating func members(
        _ fields: [String: PropertyList], archive: KeyedArchive?, depth: Int
    ) -> JSONValue {
        var found: [(String, JSONValue)] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) where goesOn() {
            found.append((name, json(value, in: archive, depth: depth + 1)))
        }
        return .object(found)
    }

    /// Whether the limit allows more values; if not, marks the tree as incomplete.
    private mutating func goesOn() -> Bool {
        if values >= Self.mostValues { isComplete = false }
        return values < Self.mostValues
    }

    private mutating func text(_ text: String) -> JSONValue {
        guard text.utf8.count > Self.longestText else { return .string(text) }
        isComplete = false
        return .string(String(text.unicodeScalars.prefix(Self.longestText / 4)) + "…")
    }

    private func bytes(_ data: Data) -> JSONValue {
        let digits = data.prefix(Self.shownBytes).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        return .object([("bytes", .count(data.count)), ("hex", .string(digits.joined()))])
    }
}
