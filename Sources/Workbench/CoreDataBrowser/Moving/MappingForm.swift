import CoreData

/// A mapping of an import as the page shows and sends it: its keys as JSON, and as the text of a property list.
struct MappingForm: Sendable {
    private static let greatestSize = 1 << 18
    private static let greatestDepth = 32

    /// The keys of Docs/Mappings.md as JSON.
    let json: JSONValue

    /// The property list, in the form that people write.
    var text: String { MappingText.text(of: json) }

    init(_ json: JSONValue) { self.json = json }

    /// - Throws: `InspectionError` of code `badValue` for a text that is not a property list.
    init(text: String) throws { try self.init(propertyList: Data(text.utf8)) }

    /// - Throws: As above.
    init(propertyList data: Data) throws {
        guard data.count <= Self.greatestSize, Self.depth(of: data) <= Self.greatestDepth,
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let json = Self.json(list)
        else {
            throw InspectionError(
                .badValue, subject: "mapping", cause: "this is not a property list of texts, numbers, lists and keys",
                hint: "such as { entity = Person; properties = { name = \"full_name\"; }; }")
        }
        self.json = json
    }

    /// The mapping; what it names is not yet compared with a model.
    ///
    /// - Throws: `InspectionError` of code `badValue` that names the key that is wrong.
    func mapping() throws -> ImportMapping {
        try ImportMapping(propertyList: Data(text.utf8), named: "mapping")
    }

    /// How deeply brackets and elements lie in each other; what is nested deeply is not given to the parser.
    private static func depth(of data: Data) -> Int {
        var (depth, greatest) = (0, 0)
        let text = Array(data)
        for (index, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "<") where index + 1 < text.count:
                if text[index + 1] == UInt8(ascii: "/") { depth -= 1 } else { depth += 1 }
            case UInt8(ascii: ">") where index > 0 && [UInt8(ascii: "/"), UInt8(ascii: "?")].contains(text[index - 1]):
                depth -= 1
            default: break
            }
            greatest = max(greatest, depth)
        }
        return greatest
    }

    private static func json(_ value: Any) -> JSONValue? {
        switch value {
        case let text as String: return .string(text)
        case let number as NSNumber:
            return type(of: value) == Bool.self ? .bool(number.boolValue) : .string(number.stringValue)
        case let list as [Any]:
            let elements = list.compactMap(json)
            return elements.count == list.count ? .array(elements) : nil
        case let keys as [String: Any]:
            let members = keys.compactMapValues(json)
            return members.count == keys.count ? .sorted(members) : nil
        default: return nil
        }
    }
}

/// Writes property lists of texts as people write them: `{ entity = Person; properties = { name = "full_name"; }; }`.
private enum MappingText {
    /// Keys that come before the others; the properties come last.
    private static let first = ["format", "at", "from", "entity", "match", "existing", "errors", "next"]

    static func text(of json: JSONValue) -> String { written(json, 0) + "\n" }

    private static func written(_ json: JSONValue, _ depth: Int) -> String {
        let margin = String(repeating: "    ", count: depth + 1)
        switch json {
        case .null: return "\"\""
        case .bool(let flag): return flag ? "YES" : "NO"
        case .integer(let number): return quoted("\(number)")
        case .number(let text), .string(let text): return quoted(text)
        case .array(let elements):
            return "(" + elements.map { written($0, depth) }.joined(separator: ", ") + ")"
        case .members(let members):
            guard members.contains(where: { isContainer($0.value) }) || depth < 2 else {
                return "{ " + members.map { "\(quoted($0.key)) = \(written($0.value, depth)); " }.joined() + "}"
            }
            let lines = sorted(members).map { "\(margin)\(quoted($0.key)) = \(written($0.value, depth + 1));\n" }
            return "{\n" + lines.joined() + margin.dropLast(4) + "}"
        }
    }

    private static func isContainer(_ json: JSONValue) -> Bool {
        if case .members = json { true } else { false }
    }

    private static func sorted(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        func rank(_ key: String) -> Int { key == "properties" ? 100 : first.firstIndex(of: key) ?? 50 }
        return members.enumerated().sorted { (rank($0.element.key), $0.offset) < (rank($1.element.key), $1.offset) }
            .map(\.element)
    }

    private static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            }
        if isPlain { return text }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"\(escaped)\""
    }
}
