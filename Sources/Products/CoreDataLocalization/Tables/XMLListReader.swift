/// Reads property lists in XML; at most `TableLimits.depth` containers deep, without external entities.
struct XMLListReader {
    private var cursor: TableCursor

    /// Whether a text is XML rather than a list in the old style.
    static func isList(_ text: String) -> Bool {
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        return start.starts(with: "<?xml".unicodeScalars) || start.starts(with: "<plist".unicodeScalars)
            || start.starts(with: "<!".unicodeScalars)
    }

    /// - Throws: `StringTableError` with line and column.
    static func list(_ text: String) throws -> ListValue {
        var reader = XMLListReader(cursor: TableCursor(text))
        try reader.skip()
        guard try reader.tag().name == "plist" else {
            throw reader.cursor.error("'<plist>' is expected at the start of the property list.")
        }
        try reader.skip()
        let value = try reader.value(try reader.tag(), depth: 0)
        try reader.close("plist")
        return value
    }

    private struct Tag {
        let name: String
        let isEmpty: Bool
        let isEnd: Bool
        let place: Int
    }

    private mutating func value(_ tag: Tag, depth: Int) throws -> ListValue {
        guard !tag.isEnd else { throw cursor.error(at: tag.place, "A value is expected in place of '</\(tag.name)>'.") }
        guard depth < TableLimits.depth else {
            throw cursor.error(
                at: tag.place, "The property list is nested deeper than \(TableLimits.depth).", code: .tooLarge)
        }
        switch tag.name {
        case "dict": return tag.isEmpty ? .dictionary([]) : try dictionary(depth)
        case "array": return tag.isEmpty ? .array([]) : try array(depth)
        case "string": return .text(tag.isEmpty ? "" : try text("string"))
        case "true", "false":
            if !tag.isEmpty { try close(tag.name) }
            return .flag(tag.name == "true")
        case "integer":
            let text = tag.isEmpty ? "" : try text("integer")
            guard let number = Int64(text) else { throw cursor.error(at: tag.place, "The integer is not valid.") }
            return .number(number)
        case "real":
            let text = tag.isEmpty ? "" : try text("real")
            guard let number = Double(text) else { throw cursor.error(at: tag.place, "The number is not valid.") }
            return .real(number)
        case "data", "date":
            if !tag.isEmpty { _ = try text(tag.name) }
            return .opaque
        default:
            throw cursor.error(
                at: tag.place, "<\(StringTableError.shown(tag.name))> is not an element of property lists.")
        }
    }

    private mutating func dictionary(_ depth: Int) throws -> ListValue {
        var pairs: [(key: String, value: ListValue)] = []
        while true {
            try skip()
            let tag = try tag()
            if tag.isEnd, tag.name == "dict" { return .dictionary(pairs) }
            guard tag.name == "key", !tag.isEnd else { throw cursor.error(at: tag.place, "'<key>' is expected here.") }
            let key = tag.isEmpty ? "" : try text("key")
            try skip()
            pairs.append((key, try value(try self.tag(), depth: depth + 1)))
        }
    }

    private mutating func array(_ depth: Int) throws -> ListValue {
        var values: [ListValue] = []
        while true {
            try skip()
            let tag = try tag()
            if tag.isEnd, tag.name == "array" { return .array(values) }
            values.append(try value(tag, depth: depth + 1))
        }
    }

    /// The text up to the end of an element.
    private mutating func text(_ name: String) throws -> String {
        let start = cursor.place
        var text = ""
        while let next = cursor.next {
            if next == "&" {
                text.unicodeScalars.append(try entity())
            } else if cursor.take("<![CDATA[") {
                guard let part = cursor.take(through: "]]>") else {
                    throw cursor.error("The CDATA section is not closed.")
                }
                text += part
            } else if next == "<" {
                try close(name)
                return text
            } else {
                text += cursor.take { $0 != "&" && $0 != "<" }
            }
        }
        throw cursor.error(at: start, "'<\(name)>' is not closed.")
    }

    private mutating func entity() throws -> Unicode.Scalar {
        let start = cursor.place
        cursor.advance()
        let name = cursor.take { $0 != ";" && $0 != "<" && $0 != "&" }
        guard cursor.take(";"), name.utf8.count <= 10 else {
            throw cursor.error(at: start, "The entity is not closed.")
        }
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let digits = name.dropFirst()
            let number =
                digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
            guard name.hasPrefix("#"), let number, let scalar = Unicode.Scalar(number) else {
                throw cursor.error(at: start, "The entity \(StringTableError.shown(name)) is not known.")
            }
            return scalar
        }
    }

    private mutating func close(_ name: String) throws {
        try skip()
        let tag = try tag()
        guard tag.isEnd, tag.name == name else { throw cursor.error(at: tag.place, "'</\(name)>' is expected here.") }
    }

    private mutating func tag() throws -> Tag {
        let start = cursor.place
        guard cursor.take("<") else {
            throw cursor.error(cursor.isAtEnd ? "The property list ends too early." : "An element is expected here.")
        }
        let isEnd = cursor.take("/")
        let name = cursor.take { $0.properties.isAlphabetic }
        let rest = cursor.take { $0 != ">" && $0 != "<" }
        guard cursor.take(">"), !name.isEmpty else { throw cursor.error(at: start, "The tag is not closed.") }
        return Tag(name: name, isEmpty: rest.hasSuffix("/"), isEnd: isEnd, place: start)
    }

    /// Skips white space, comments, processing instructions and the document type.
    private mutating func skip() throws {
        while let next = cursor.next {
            let start = cursor.place
            if next.isSpace || next == "\u{FEFF}" {
                cursor.advance()
            } else if cursor.take("<!--") {
                guard cursor.take(through: "-->") != nil else {
                    throw cursor.error(at: start, "The comment is not closed.")
                }
            } else if cursor.take("<?") {
                guard cursor.take(through: "?>") != nil else { throw cursor.error(at: start, "'?>' is missing.") }
            } else if cursor.take("<!DOCTYPE") {
                guard let type = cursor.take(through: ">"), !type.contains("[") else {
                    throw cursor.error(
                        at: start, "A document type with declarations of its own is not read. Remove them.")
                }
            } else {
                return
            }
        }
    }
}
