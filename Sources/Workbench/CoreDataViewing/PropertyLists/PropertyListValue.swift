import CoreData

/// The types of values in property lists, which also parse values from text.
package enum PropertyListType: String, CaseIterable, Sendable {
    case string, integer, real, boolean, date, data, array, dictionary

    /// Parses a value of the type from a text; arrays and dictionaries are given as JSON.
    ///
    /// - Throws: `InspectionError` of code `badValue` saying what was expected.
    package func value(_ text: String) throws -> PropertyList {
        let value: PropertyList? =
            switch self {
            case .string: .string(text)
            case .integer: Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
            case .real: Double(text).map { .real($0) }
            case .boolean:
                ["yes": true, "true": true, "no": false, "false": false][text.lowercased()].map { .boolean($0) }
            case .date: ISODate.date(text).map { .date($0) }
            case .data: Data(base64Encoded: text).map { .data($0) }
            case .array, .dictionary: try structured(text)
            }
        guard let value else {
            throw InspectionError(
                .badValue, subject: rawValue, cause: "the text is not a value of this type", hint: expectation)
        }
        return value
    }

    private func structured(_ text: String) throws -> PropertyList? {
        let values = try JSONReader.values(in: Array(text.utf8), of: rawValue)
        guard values.count == 1, let list = PropertyList(values[0]) else { return nil }
        return list.type == self ? list : nil
    }

    private var expectation: String {
        switch self {
        case .string: "any text"
        case .integer: "a whole number"
        case .real: "a number such as -1.5"
        case .boolean: "YES or NO"
        case .date: "a date such as 2024-02-29T12:00:00Z"
        case .data: "bytes in base64"
        case .array: "JSON such as [1, \"a\"]"
        case .dictionary: "JSON such as {\"key\": 1}"
        }
    }
}

extension PropertyList {
    /// The type; nil for values that only keyed archives have.
    package var type: PropertyListType? {
        switch self {
        case .string: .string
        case .integer, .unsigned: .integer
        case .real: .real
        case .boolean: .boolean
        case .date: .date
        case .data: .data
        case .array: .array
        case .dictionary: .dictionary
        case .set, .uid, .null: nil
        }
    }

    /// The name of the type, including the types that only keyed archives have.
    package var typeName: String {
        switch self {
        case .set: "set"
        case .uid: "reference"
        case .null: "null"
        default: type?.rawValue ?? ""
        }
    }

    /// Converts JSON to a property list; nil if it contains a null.
    init?(_ json: JSONValue) {
        switch json {
        case .null: return nil
        case .bool(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .number(let text):
            guard let value: PropertyList = Int64(text).map({ .integer($0) }) ?? Double(text).map({ .real($0) }) else {
                return nil
            }
            self = value
        case .string(let text): self = .string(text)
        case .array(let elements):
            let values = elements.compactMap { PropertyList($0) }
            guard values.count == elements.count else { return nil }
            self = .array(values)
        case .members(let members):
            let pairs = members.compactMap { member in PropertyList(member.value).map { (member.key, $0) } }
            guard pairs.count == members.count else { return nil }
            self = .dictionary(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
        }
    }

    /// The value as JSON: dates are ISO 8601, data is base64.
    package var json: JSONValue {
        switch self {
        case .null: .null
        case .boolean(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .unsigned(let number): .number("\(number)")
        case .real(let number): .real(number)
        case .date(let date): .string(ISODate.text(date))
        case .data(let data): .string(data.base64EncodedString())
        case .string(let text): .string(text)
        case .uid(let number): .object([("reference", .count(number))])
        case .array(let elements), .set(let elements): .array(elements.map(\.json))
        case .dictionary(let pairs): .sorted(pairs.mapValues(\.json))
        }
    }

    /// One value with its path.
    package struct Line {
        package let path: String
        package let type: String
        /// The value as text; for an array or a dictionary, the number of its elements.
        package let text: String
    }

    /// All values with their paths; a container comes before its elements, and keys are in the order of their bytes.
    package func lines(at path: String = "") -> [Line] {
        let before = path.isEmpty ? "" : path + "."
        switch self {
        case .array(let elements), .set(let elements):
            return [Line(path: path, type: typeName, text: "\(elements.count)")]
                + elements.enumerated().flatMap { $1.lines(at: "\(before)\($0)") }
        case .dictionary(let pairs):
            let sorted = pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            return [Line(path: path, type: typeName, text: "\(pairs.count)")]
                + sorted.flatMap { $0.value.lines(at: before + PropertyListPath.step($0.key)) }
        case .string(let text): return [Line(path: path, type: typeName, text: text)]
        case .boolean(let flag): return [Line(path: path, type: typeName, text: flag ? "YES" : "NO")]
        default:
            guard case .string(let text) = json else {
                return [Line(path: path, type: typeName, text: JSONWriter.line(json))]
            }
            return [Line(path: path, type: typeName, text: text)]
        }
    }
}
