import Foundation

/// What a `.strings` file has, in its order.
public struct StringsFile: Sendable, Equatable {
    /// A key with its text.
    public struct Entry: Sendable, Equatable {
        /// The comment before the key, without `/*` and `*/`; nil if there is none.
        public var comment: String?
        /// The key, without quotes and escapes.
        public var key: String
        /// The text, without quotes and escapes.
        public var text: String
        /// The line of the key, counted from 1; 0 for an entry that is of no file.
        public var line = 0

        /// An entry that is of no file.
        public init(_ key: String, _ text: String, comment: String? = nil) {
            (self.key, self.text, self.comment) = (key, text, comment)
        }
    }

    /// The entries in their order; a key that the file has several times is here several times, and the last counts.
    public var entries: [Entry]

    /// A file with some entries.
    public init(_ entries: [Entry] = []) { self.entries = entries }

    /// Reads a property list in the old style: `"key" = "text";`, with comments; a compiled file, a binary property list, and a
    /// property list in XML are read too.
    ///
    /// - Throws: `StringTableError` with line and column.
    public init(_ data: Data) throws {
        if data.starts(with: Data("bplist00".utf8)) {
            try self.init(BinaryListReader.list(data))
        } else {
            let text = try TableText.decode(data)
            if XMLListReader.isList(text) {
                try self.init(XMLListReader.list(text))
            } else {
                self.init(try StringsReader.entries(text))
            }
        }
    }

    private init(_ list: ListValue) throws {
        guard case .dictionary(let pairs) = list else {
            throw StringTableError(.structure, "The property list is not a dictionary of texts.")
        }
        entries = try pairs.map { key, value in
            guard case .text(let text) = value else {
                throw StringTableError(.structure, "\(StringTableError.shown(key)) is not a text.")
            }
            return Entry(key, text)
        }
    }

    /// The keys that the file has more than once, in the order of their second line.
    public var duplicates: [Entry] {
        var seen: Set<String> = []
        return entries.filter { !seen.insert($0.key).inserted }
    }

    /// The texts by key; of several the last counts, as Foundation has it.
    public var texts: [String: String] {
        Dictionary(entries.map { ($0.key, $0.text) }, uniquingKeysWith: { $1 })
    }

    /// The file as text in UTF-8, as `genstrings` writes it: a comment, the pair, an empty line.
    public var source: String {
        entries.map { entry in
            let comment = entry.comment.map { "/* \($0.replacing("*/", with: "* /")) */\n" } ?? ""
            return "\(comment)\"\(Self.escaped(entry.key))\" = \"\(Self.escaped(entry.text))\";\n"
        }.joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where scalar.value < 32 || scalar.value == 127:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
