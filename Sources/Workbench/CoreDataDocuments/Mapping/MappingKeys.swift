import CoreData

/// The keys of one dictionary of a mapping, each of which is to be used.
final class MappingKeys {
    /// Where the dictionary stands, for messages.
    let place: String
    private let values: [String: Any]
    private var known: Set<String> = []

    /// - Throws: `InspectionError` of code `badValue` where it is no dictionary.
    init(_ value: Any, at place: String) throws {
        guard let values = value as? [String: Any] else { throw Self.wrong(place, "it is no dictionary") }
        (self.values, self.place) = (values, place)
    }

    static func wrong(_ place: String, _ cause: String, hint: String? = nil) -> InspectionError {
        InspectionError(
            .badValue, subject: PrintableText.escaped(place, limit: 300),
            cause: PrintableText.escaped(cause, limit: 300),
            hint: hint)
    }

    func wrong(_ key: String, _ cause: String) -> InspectionError { Self.wrong("\(place): \(key)", cause) }

    func has(_ key: String) -> Bool { values[key] != nil }

    func take(_ key: String) -> Any? {
        known.insert(key)
        return values[key]
    }

    /// Throws if a key was not asked for, with the nearest one that was.
    func finish() throws {
        for key in values.keys.sorted() where !known.contains(key) {
            let near = NameSuggestion(for: key, in: known)
            throw Self.wrong(
                "\(place): \(PrintableText.escaped(key, limit: 80))", "a mapping has no such key", hint: near?.question)
        }
    }

    private func value<Value>(_ key: String, _ kind: String, _ read: (Any) -> Value?) throws -> Value? {
        guard let value = take(key) else { return nil }
        guard let result = read(value) else { throw wrong(key, "it is no \(kind)") }
        return result
    }

    /// A text; a number counts as its digits.
    func text(_ key: String) throws -> String? {
        try value(key, "text") { ($0 as? String) ?? ($0 as? NSNumber)?.stringValue }
    }
    func texts(_ key: String) throws -> [String: String]? {
        try value(key, "dictionary of texts") { $0 as? [String: String] }
    }
    func list(_ key: String) throws -> [Any]? { try value(key, "list") { $0 as? [Any] } }
    func dictionary(_ key: String) throws -> [String: Any]? { try value(key, "dictionary") { $0 as? [String: Any] } }
    func character(_ key: String) throws -> Character? {
        try value(key, "single character") { value in
            (value as? String).flatMap { $0.count == 1 ? $0.first : nil }
        }
    }
    func flag(_ key: String) throws -> Bool? {
        try value(key, "true or false") { value in
            switch value {
            case let flag as Bool: flag
            case let text as String: ["YES": true, "true": true, "NO": false, "false": false][text]
            default: nil
            }
        }
    }
    /// A text or a list of texts.
    func words(_ key: String) throws -> [String]? {
        try value(key, "list of texts") { ($0 as? [String]) ?? ($0 as? String).map { [$0] } }
    }
    func path(_ key: String) throws -> DocumentPath? {
        try value(key, "path") { ($0 as? String).flatMap { DocumentPath($0) } }
    }
    /// A name such as Europe/Berlin, or an offset such as +0100.
    func zone(_ key: String) throws -> TimeZone? {
        try value(key, "zone") { value in
            guard let text = value as? String else { return nil }
            var rest = Substring(text)
            if let seconds = ZoneOffset.read(&rest), rest.isEmpty { return TimeZone(secondsFromGMT: seconds) }
            return TimeZone(identifier: text)
        }
    }
    func choice<Choice: RawRepresentable & CaseIterable>(_ key: String) throws -> Choice?
    where Choice.RawValue == String {
        guard let value = take(key) else { return nil }
        guard let choice = (value as? String).flatMap(Choice.init(rawValue:)) else {
            throw wrong(key, "it is none of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }
}
